"""What schemathesis cannot read in the OpenAPI document of daybook."""

from datetime import date
from itertools import count
from urllib.parse import quote

import schemathesis
from hypothesis import strategies as st

DAYS = st.dates(date(2000, 1, 1), date(2100, 1, 1))


def span(first, length):
    return f"{first}~{first.fromordinal(first.toordinal() + length)}"


schemathesis.openapi.format(
    "range",
    st.one_of(st.sampled_from(["today", "7d", "30d", "12m"]), st.builds(span, DAYS, st.integers(0, 729))),
)

schemathesis.openapi.format(
    "compare",
    st.one_of(st.sampled_from(["previous", "year", "none"]), st.builds(span, DAYS, st.integers(0, 729))),
)

schemathesis.openapi.format("url", st.text(min_size=1).map(lambda page: f"https://www.example.com/{quote(page)}"))

PATTERNS = st.sampled_from(["users/*", "/orders/{number}", "{uuid}", "größe/*/{token}/", " * ", ""])
schemathesis.openapi.format("path-pattern", PATTERNS)
schemathesis.openapi.format("path-patterns", st.lists(PATTERNS, max_size=20).map("\n".join))

schemathesis.openapi.format("time-zone", st.sampled_from(["UTC", "Europe/Berlin", "Asia/Kolkata", "America/St_Johns"]))

schemathesis.openapi.format("currency", st.sampled_from(["EUR", "USD", "jpy", "CHF"]))

# What the document allows is refused for these reasons only, which no schema can say: they depend on what is there already,
# on today, or on another field.
CODES = ("limit_reached", "crawler_tracking_off", "headers_too_large")
SENTENCES = (
    "is already a site on this server.",
    "The site already has this goal.",
    "This is your own e-mail address.",
    "is already in the team.",
    "There is no site ",
    'Must not be after "to".',
    'Must not be before "from".',
    "or a day in the past.",
    "This works only with the breakdown event_labels.",
    "This works only with the metrics conversions and conversion_rate.",
    "This works only with the metric conversions.",
    "This works only with the metrics revenue and revenue_per_visitor.",
    "The site has no currency yet.",
    "This is required, because the site has no main goal.",
    "Must be one of the requested metrics.",
    "Cannot be combined with filters[",
    "All filters together must have at most",
    "Must be the id of a goal of this site, or null.",
    "Can be hour for at most 31 days.",
    "belonged to another site until recently.",
)


def expected(response):
    error = response.json()["error"]
    fields = error.get("fields", {})
    return error["code"] in CODES or fields != {} and all(
        any(sentence in said for sentence in SENTENCES)
        or (name, said) == ("event", "This is required.")
        or (name == "metrics" and said.startswith("The breakdown "))
        # The value of a goal is checked with the type that the goal has then.
        or (name == "value" and response.request.method == "PATCH")
        # A pattern of private segments is a language of its own.
        or (name in ("patterns", "private_paths") and said.startswith("Line "))
        # A list of page parameters has each name once, and no name of a campaign.
        or (name in ("parameters", "page_parameters") and said.startswith('"'))
        for name, said in fields.items()
    )


# A goal that the site does not have is not found, like a site that is not there.
def names_goal(case):
    filters = case.body.get("filters") if isinstance(case.body, dict) else None
    return isinstance(filters, dict) and "goal" in filters or any(
        name.startswith("filters[goal]") for name in case.query or {}
    )


@schemathesis.hook
def filter_failure(context, failure, case, response):
    kind = type(failure).__name__
    # Whether there is room for another is asked before the body is looked at, and whether an address is too long before it is read.
    if kind == "AcceptedNegativeData":
        return response.status_code not in (402, 431)
    if kind == "EnsureResourceAvailability":
        return not names_goal(case)
    return kind != "RejectedPositiveData" or not expected(response)


# Whoever shows bad tokens is limited by address; the trial is not about that.
requests = count()


@schemathesis.hook
def map_case(context, case):
    n = next(requests)
    case.headers["X-Forwarded-For"] = f"10.{n >> 16 & 255}.{n >> 8 & 255}.{n & 255}"
    return case
