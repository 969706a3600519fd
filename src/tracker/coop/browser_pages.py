"""The two web pages that a browser gets: the login, and the terminal in which the app is drawn."""

from __future__ import annotations

import secrets
from html import escape
from string import Template

_STYLE = """
@font-face { font-family: "Roboto Mono"; src: url("/static/fonts/RobotoMono-VariableFont_wght.ttf"); }
:root { color-scheme: light dark; }
body { margin: 0; background: light-dark(#f6f4ef, #14171a); color: light-dark(#22262a, #e6e1d6);
  font: 16px/1.5 system-ui, sans-serif; }
.card { max-width: 22rem; margin: 12vh auto 0; padding: 0 1.5rem; }
h1 { font-size: 1.4rem; margin: 0 0 .25rem; }
p { margin: 0 0 1.25rem; }
.why { color: light-dark(#a02020, #ff9a8a); }
label { display: block; font-weight: 600; margin: 0 0 1rem; }
input { display: block; width: 100%; box-sizing: border-box; margin-top: .25rem; padding: .55rem .65rem; font: inherit;
  border: 1px solid #8886; border-radius: 6px; background: light-dark(#fff, #1e2327); color: inherit; }
button, a.button { padding: .6rem 1.4rem; font: inherit; font-weight: 600; border: 0; border-radius: 6px;
  background: #2f6f5e; color: #fff; cursor: pointer; text-decoration: none; display: inline-block; }
button:focus-visible, input:focus-visible, a:focus-visible { outline: 3px solid #6cc3aa; outline-offset: 1px; }
"""

_HEAD = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>$title · tracker</title>
<link rel="icon" href="data:,">
<style nonce="$nonce">$style</style>
</head>
"""

_LOGIN = Template(
    _HEAD
    + """<body>
<main class="card">
<h1>$title</h1>
<p>The terminal that runs tracker shows the code.</p>
$why
<form method="post" action="/login">
<label>Code <input name="code" id="code" required autocomplete="off" autocapitalize="none" spellcheck="false"></label>
<label>Your name at the table <input name="name" id="name" required maxlength="40" value="$name"></label>
<button>Play</button>
</form>
</main>
<script nonce="$nonce">
const code = location.hash.slice(1);
if (code) {
  document.getElementById("code").value = code;
  history.replaceState(null, "", location.pathname);
}
document.getElementById(code ? "name" : "code").focus();
</script>
</body>
</html>
"""
)

_TERMINAL = Template("""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>$title · $name · tracker</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/static/css/xterm.css">
<style nonce="$nonce">$style
html, body, .textual-terminal { height: 100%; width: 100%; overflow: hidden; }
body { background: #14171a; }
.textual-terminal { position: absolute; opacity: 0; }
body.-first-byte .textual-terminal { opacity: 1; }
.over { position: absolute; inset: 0; display: none; z-index: 20; background: #14171ae0; color: #e6e1d6; }
body.-closed .over { display: block; }
</style>
<script src="/static/js/textual.js"></script>
</head>
<body>
<div class="over"><div class="card"><h1>$title</h1>
<p>The connection to the table has ended. Everything you did is saved.</p>
<a class="button" href="/">Play on</a></div></div>
<div id="terminal" class="textual-terminal" data-session-websocket-url="$socket" data-font-size="$size"></div>
<script nonce="$nonce">
new MutationObserver(() => document.querySelector(".xterm-helper-textarea")?.focus())
  .observe(document.body, { attributes: true, attributeFilter: ["class"] });
</script>
</body>
</html>
""")

_NOTICE = Template(
    _HEAD
    + """<body><main class="card"><h1>$title</h1><p>$text</p><a class="button" href="/">Try again</a></main></body>
</html>
"""
)


def login(title: str, *, why: str = "", name: str = "") -> tuple[str, str]:
    """Return (HTML of the login page, its Content-Security-Policy).

    `title` is the heading. `why` is a sentence that says why the last attempt failed, or "". `name` is the first
    content of the field for the player's name.
    """
    return _filled(_LOGIN, title=title, name=name, why=why and f'<p class="why" role="alert">{escape(why)}</p>')


def terminal(title: str, *, name: str, socket: str, size: int) -> tuple[str, str]:
    """Return (HTML of the page with the app, its Content-Security-Policy).

    `title` is the name of the campaign and `name` that of the player. `socket` is the URL of the WebSocket to the app,
    and `size` the height of the letters in pixels.
    """
    return _filled(_TERMINAL, title=title, name=name, socket=socket, size=str(size))


def notice(title: str, text: str) -> tuple[str, str]:
    """Return (HTML of a page with a heading, one sentence and a link to try again, its Content-Security-Policy)."""
    return _filled(_NOTICE, title=title, text=text)


def _filled(page: Template, **values: str) -> tuple[str, str]:
    nonce = secrets.token_urlsafe(16)
    ready = {name: value if name == "why" else escape(value) for name, value in values.items()}
    # xterm.js puts style sheets and attributes into the page while it runs, so inline styles have to be allowed there.
    styles = "'unsafe-inline'" if page is _TERMINAL else f"'nonce-{nonce}'"
    policy = (
        f"default-src 'none'; script-src 'self' 'nonce-{nonce}'; style-src 'self' {styles}; font-src 'self'; "
        "img-src 'self' data:; connect-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
    )
    return page.substitute(ready, nonce=nonce, style=_STYLE), policy
