"""A name server of the tests' own, with the records that it is given."""

import contextlib
import socketserver
import threading

import dns.message
import dns.rcode
import dns.rrset


class _Answering(socketserver.BaseRequestHandler):
    def handle(self):
        text, socket = self.request
        asked = dns.message.from_wire(text)
        answer = dns.message.make_response(asked)
        question = asked.question[0]
        name, kind = question.name.to_text(omit_final_dot=True).lower(), question.rdtype.name
        values = [value for a, b, value in self.server.records if (a.lower(), b) == (name, kind)]
        if values:
            answer.answer.append(dns.rrset.from_text(question.name, 60, "IN", kind, *values))
        elif not any(a.lower() == name for a, _, _ in self.server.records):
            answer.set_rcode(dns.rcode.NXDOMAIN)
        if not self.server.silent:
            socket.sendto(answer.to_wire(), self.client_address)


@contextlib.contextmanager
def name_server(*records, silent=False):
    """Its address and port; `records` are triples of name, kind and value as zone files have them."""
    with socketserver.ThreadingUDPServer(("127.0.0.1", 0), _Answering) as server:
        server.records, server.silent = records, silent
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield f"127.0.0.1:{server.server_address[1]}"
        finally:
            server.shutdown()
