// What other pages may use: `follow(request, handlers)` and the element `<daybook-list>`.
//
//     <script type="module" src="http://127.0.0.1:8642/page/daybook.js"></script>
//     <daybook-list entity="Recipe" section="type.name" sort="name"></daybook-list>
export { applyDifference, DifferenceError } from "./difference.js";
export { follow } from "./follow.js";
export { Problem, server } from "./server.js";
export { DaybookList } from "./list-element.js";
