"""Faults without end around games that go on: nothing may be lost, doubled, or called what it is not.

`python -m tests.chaos --minutes 30` kills the parts of a deployment, stops its database and its broker, and
lets its mail server hang, hang up and refuse, a fault every 10 to 20 seconds by a seed, while people play.
Then all is mended, the clock goes past every retry, and an audit looks at everything.
"""
