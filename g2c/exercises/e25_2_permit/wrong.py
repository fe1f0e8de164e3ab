"""25.2 gone wrong."""

from functools import partial

from wrong_answers import wrong

wrong = partial(wrong, "25.2")

REPLACED = "if not any(ways != others and _begin(ways, others) for others in about.values())"
STRICTEST = "decided = max(left, key=STRICTNESS.index, default=default)"
DEFAULT = 'default: Permission = "deny" if call.effect else "allow"'
PARTS = 'PurePosixPath(normpath(path).replace("//", "/")).parts'
OWN = 'server, slash, own = name.rpartition("/")'

wrong(
    "As in a firewall, the first rule that is about a call decides.",
    (STRICTEST, "decided = next((rule.permission for rule in about), default)"),
)
wrong(
    "Of the rules that are left, a yes is enough.",
    (STRICTEST, "decided = min(left, key=STRICTNESS.index, default=default)"),
)
wrong(
    "A rule about a tool is narrower than a rule about all tools, whatever else they say.",
    (REPLACED, "if not any(len(others[0]) > len(ways[0]) for others in about.values())"),
)
wrong(
    "What counts is how much a rule says: all parts of its tool and its path together.",
    (REPLACED, "if sum(map(len, ways)) == max(sum(map(len, others)) for others in about.values())"),
)
wrong(
    "A call that no rule is about has to be asked about.",
    (DEFAULT, 'default: Permission = "ask" if call.effect else "allow"'),
)
wrong(
    "A look can do no harm, so no rule can forbid it.",
    (STRICTEST, f'{STRICTEST} if call.effect else "allow"'),
)
wrong(
    "A pattern is a pattern: fnmatch knows stars.",
    (
        "_of_tool(call.tool), argument)",
        "_of_tool(rule.tool if fnmatch(call.tool, rule.tool) else call.tool), argument)",
    ),
    ("import json\n", "import json\nfrom fnmatch import fnmatch\n"),
)
wrong(
    "What stands before the first slash is the server.",
    (
        OWN,
        'server, slash, own = name.partition("/")\n'
        '    server, own = (server, own) if slash else ("", name)',
    ),
)
wrong("A path is below a folder if it begins with it.", (PARTS, "tuple(normpath(path))"))
wrong(
    "A value is compared as text.",
    ("if isinstance(value, str) else ()", "if value is not None else ()"),
    ("_of_path(rule.argument, value, END)", "_of_path(rule.argument, str(value), END)"),
)
wrong(
    "Whoever said yes has decided, whatever the rules say.",
    ('if decided == "ask" and any(', "if any("),
)
wrong(
    "A yes is to a tool and its arguments; which agent calls it makes no difference.",
    ("return call.actor, call.tool,", 'return "", call.tool,'),
)
wrong(
    "Two calls are the same if they are equal.",
    ("any(_identity(a.call) == asked and", "any(a.call == call and"),
)
wrong("Until noon means noon included.", ("now < a.until", "now <= a.until"))
wrong("The newest approval counts.", ("for a in approvals):", "for a in approvals[-1:]):"))
