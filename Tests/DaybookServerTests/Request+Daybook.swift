#if Server

import Daybook

/// The server's library has a `Request`, too.
typealias Request<Row: ResultRow> = Daybook.Request<Row>

#endif
