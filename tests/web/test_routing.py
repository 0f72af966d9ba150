"""Requests are routed as Flask routes them, with less work."""

import pytest
from flask import Flask
from werkzeug.test import EnvironBuilder

from app.web.core.flask_app import FormRequest, SyncFlask, see_other

REQUESTS = (
    ("GET", "/", {}),
    ("POST", "/t/abc?played=1.1", {}),
    ("GET", "/m/12/%E6%97%A5", {}),
    ("GET", "/a//b", {"Host": "Example.COM:8000"}),
    ("GET", "/", {"Host": "bad host"}),
    ("GET", "/", {"Host": "日本"}),
    ("GET", "/", {"Connection": "Upgrade", "Upgrade": "websocket"}),
)


@pytest.mark.parametrize(("method", "path", "headers"), REQUESTS)
def test_an_address_is_taken_apart_as_flask_does(method, path, headers):
    environ = EnvironBuilder(path, method=method).get_environ()
    environ |= {f"HTTP_{name.upper()}": value for name, value in headers.items()}
    ours, flasks = SyncFlask("ours"), Flask("flasks")
    mine = ours.create_url_adapter(FormRequest(dict(environ)))
    theirs = flasks.create_url_adapter(FormRequest(dict(environ)))
    wanted = {name: value for name, value in vars(theirs).items() if name != "map"}
    assert {name: value for name, value in vars(mine).items() if name != "map"} == wanted


def test_outside_of_a_request_there_is_no_adapter():
    assert SyncFlask("ours").create_url_adapter(None) is None is Flask("flasks").create_url_adapter(None)


def test_a_missing_field_is_the_default():
    form = FormRequest(EnvironBuilder(method="POST", data={"a": ["1", "2"], "b": ""}).get_environ()).form
    assert [form.get("a"), form.get("b"), form.get("c"), form.get("c", "-")] == ["1", "", None, "-"]
    assert (form.get("a", type=int), form.get("b", 7, type=int), form.getlist("a")) == (1, 7, ["1", "2"])


def test_see_other_leads_on_by_get():
    with SyncFlask("ours").test_request_context("/t/x", method="POST"):
        response = see_other("/t/x?played=3.1#now")
        sent = response.get_wsgi_headers(EnvironBuilder("/t/x").get_environ())
    assert (response.status_code, sent["Location"]) == (303, "/t/x?played=3.1#now")
    assert sent["Content-Length"] == "0"
