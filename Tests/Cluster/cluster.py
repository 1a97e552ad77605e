"""A cluster on loopback: servers, nodes, and a link for each connection between two of them."""

import pathlib

from links import Links
from nodes import Node, together
from ports import free_port
from servers import Servers


class Cluster:
    """Three servers (or one) that serve the nodes of one stream after another."""

    def __init__(self, directory, servers=3):
        self.directory = pathlib.Path(directory)
        self.links = Links()
        self.servers = Servers(self.directory, self.links, servers)
        self.nodes = []
        self.node_ports = {}
        self.is_stopped = False
        for number in (1, 2, 3):
            for server in self.servers.all:
                link = self.links.add((f"n{number}", server.name), free_port(), server.client_port)
                self.node_ports.setdefault(number, []).append(link.port)

    def start(self):
        self.servers.start()

    def make_nodes(self, stream, directory=None, tokens=True, options=(), is_direct=False):
        """Makes three stores on a new stream, and starts a node with each.

        The options go to `daybook serve`; direct nodes connect past the links, which cost time.
        """
        directory = directory or self.directory / stream
        self.servers.wait_until_placing()
        self.nodes = [
            Node(number, directory / f"n{number}", self.direct_address(stream) if is_direct else self.address(number, stream), tokens, options)
            for number in (1, 2, 3)
        ]
        self.nodes[0].init(len(self.servers.all))
        together(Node.join, self.nodes[1:])
        together(Node.start, self.nodes)
        return self.nodes

    def address(self, number, stream):
        """Returns the address of a stream as a node names it, through its own links."""
        return "nats://" + ",".join(f"127.0.0.1:{port}" for port in self.node_ports[number]) + f"/{stream}"

    def direct_address(self, stream):
        """Returns the address of a stream past the links."""
        return "nats://" + ",".join(f"127.0.0.1:{port}" for port in self.servers.ports) + f"/{stream}"

    def heal(self):
        self.links.heal()
        self.servers.heal()
        for node in self.nodes:
            node.heal()

    def stop_nodes(self):
        together(Node.stop, self.nodes)

    def stop(self):
        """Ends all processes; a second call does nothing."""
        if self.is_stopped:
            return
        self.is_stopped = True
        try:
            self.links.heal()
            self.stop_nodes()
        finally:
            self.servers.stop()
            self.links.close()
