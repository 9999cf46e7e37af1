#!/usr/bin/env python3
"""Checks the receipts of a site as docs/receipts.md describes them, with the standard library of Python only.

    python3 verify.py receipts.json [hits.ndjson|hits.csv]

Prints one line for each date: the date, and "holds" or what is wrong. The exit code is 1 if anything is wrong. This
program was written from that page, and shares no code with daybook. test/receipts/random.long.test.ts compares both.
"""

import base64
import csv
import hashlib
import io
import json
import re
import sys

P = 2**255 - 19
L = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, P - 2, P) % P


def add(one, other):
    """Adds two points in extended coordinates (RFC 8032, section 5.1.4)."""
    a = (one[1] - one[0]) * (other[1] - other[0]) % P
    b = (one[1] + one[0]) * (other[1] + other[0]) % P
    c = 2 * one[3] * other[3] * D % P
    d = 2 * one[2] * other[2] % P
    e, f, g, h = b - a, d - c, d + c, b + a
    return e * f % P, g * h % P, f * g % P, e * h % P


def multiply(number, point):
    total = (0, 1, 1, 0)
    while number > 0:
        if number & 1:
            total = add(total, point)
        point = add(point, point)
        number >>= 1
    return total


def read_point(data):
    """Reads a point (section 5.1.3), or returns None."""
    y = int.from_bytes(data, "little")
    sign, y = y >> 255, y & (2**255 - 1)
    if y >= P:
        return None
    square = (y * y - 1) * pow(D * y * y + 1, P - 2, P) % P
    x = pow(square, (P + 3) // 8, P)
    if (x * x - square) % P:
        x = x * pow(2, (P - 1) // 4, P) % P
    if (x * x - square) % P or (x == 0 and sign):
        return None
    if x & 1 != sign:
        x = P - x
    return x, y, 1, x * y % P


def are_equal(one, other):
    return (one[0] * other[2] - other[0] * one[2]) % P == 0 and (one[1] * other[2] - other[1] * one[2]) % P == 0


BASE = read_point((4 * pow(5, P - 2, P) % P).to_bytes(32, "little"))


def is_signed(key, data, signature):
    """Checks an Ed25519 signature (section 5.1.7)."""
    if len(key) != 32 or len(signature) != 64:
        return False
    public, r = read_point(key), read_point(signature[:32])
    s = int.from_bytes(signature[32:], "little")
    if public is None or r is None or s >= L:
        return False
    h = int.from_bytes(hashlib.sha512(signature[:32] + key + data).digest(), "little") % L
    return are_equal(multiply(s, BASE), add(r, multiply(h, public)))


def canonical(value):
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def unbase64(text):
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


MEMBERS = {
    "format": int, "site": str, "date": str, "sequence": int, "previous": (str, type(None)),
    "replaces": (int, type(None)), "reason": str, "kind": str, "digest": str, "figures": dict, "dropped": int,
    "outages": list, "imports": list, "exclusions": list, "zone": str, "sealed_at": str, "key": str,
    "signature": str, "former_signature": (str, type(None)),
}  # fmt: skip
KINDS = ("hits", "sums", "none")


def has_form(receipt):
    return (
        isinstance(receipt, dict)
        and receipt.keys() == MEMBERS.keys()
        and all(isinstance(receipt[name], kind) and not isinstance(receipt[name], bool) for name, kind in MEMBERS.items())
        and receipt["format"] == 1
        and receipt["kind"] in KINDS
        and re.fullmatch(r"\d{4}-\d\d-\d\d", receipt["date"]) is not None
    )


def check_chain(receipts):
    """Returns the latest receipt of each date, and what is wrong: pairs of a date and a sentence."""
    faults, latest, before, before_hash = [], {}, None, None
    for place, receipt in enumerate(receipts, 1):
        if not has_form(receipt):
            faults.append((f"#{place}", "has the wrong form"))
            before, before_hash = None, ""
            continue
        date = receipt["date"]

        def wrong(sentence, date=date):
            faults.append((date, sentence))

        if receipt["sequence"] != (before["sequence"] + 1 if before else place):
            wrong("the number is wrong")
        if receipt["previous"] != before_hash:
            wrong("does not follow the receipt before")
        signed = canonical({k: v for k, v in receipt.items() if k not in ("signature", "former_signature")})
        if not is_signed(unbase64(receipt["key"]), signed, unbase64(receipt["signature"])):
            wrong("the signature is wrong")
        former = receipt["former_signature"]
        if before and before["key"] != receipt["key"]:
            if former is None or not is_signed(unbase64(before["key"]), signed, unbase64(former)):
                wrong("the former key has not signed")
        elif former is not None:
            wrong("has a signature too many")
        old = latest.get(date)
        if receipt["replaces"] != (old["sequence"] if old else None):
            wrong("replaces another receipt")
        if old is None and receipt["reason"] not in ("first", "sealed", "import"):
            wrong("the reason is wrong")
        if receipt["reason"] == "retention" and (receipt["kind"] != "sums" or old is None or old["kind"] != "hits"):
            wrong("the reason is wrong")
        if receipt["reason"] != "key" and (receipt["reason"] == "removed") != (receipt["kind"] == "none"):
            wrong("the reason is wrong")
        latest[date] = receipt
        before, before_hash = receipt, hashlib.sha256(canonical(receipt)).hexdigest()
    return latest, faults


def read_csv(text):
    rows = csv.reader(io.StringIO(text, newline=""))
    names = next(rows, None)
    # The export of a site without hits is empty.
    if names is None:
        return
    for row in rows:
        line = {}
        for name, cell in zip(names, row, strict=True):
            cell = re.sub("^'(?='*[=+\\-@\uff1d\uff0b\uff0d\uff20\t\r])", "", cell)
            if cell == "":
                continue
            if name in ("visit", "engaged", "scroll"):
                line[name] = int(cell)
            elif name in ("props", "revenue"):
                line[name] = json.loads(cell)
            else:
                line[name] = cell == "true" if name == "excluded" else cell
        yield line


def read_export(text):
    if text.startswith("{"):
        return [json.loads(line) for line in text.split("\n") if line.strip()]
    return list(read_csv(text))


def digest_days(lines):
    """Returns the digest and figures of each day of an export. A day with misnumbered visitors has neither."""
    days, misnumbered = {}, set()
    for line in lines:
        line = dict(line)
        visitor, excluded = line.pop("visitor"), line.pop("excluded", False)
        hashes, figures, people, visits = days.setdefault(
            visitor[:10], ({}, {"visitors": 0, "visits": 0, "pageviews": 0, "events": 0}, set(), set())
        )
        hashes.setdefault(visitor, hashlib.sha256()).update(canonical(line) + b"\n")
        if visitor[11:] != str(len(hashes)):
            misnumbered.add(visitor[:10])
        if excluded:
            continue
        people.add(visitor)
        visits.add((visitor, line["visit"]))
        if "engaged" not in line:
            figures["events" if "event" in line else "pageviews"] += 1
    found = {}
    for date, (hashes, figures, people, visits) in days.items():
        figures |= {"visitors": len(people), "visits": len(visits)}
        found[date] = (hashlib.sha256(b"".join(sorted(h.digest() for h in hashes.values()))).hexdigest(), figures)
    return found | dict.fromkeys(misnumbered, (None, None))


def main(receipts_path, export_path=None):
    with open(receipts_path, encoding="utf-8") as file:
        saved = json.load(file)
    receipts = saved if isinstance(saved, list) else saved.get("data", saved)["receipts"]
    latest, faults = check_chain(receipts)
    if not receipts:
        faults.append(("", "there are no receipts"))
    if export_path:
        with open(export_path, encoding="utf-8", newline="") as file:
            found = digest_days(read_export(file.read()))
        for date, receipt in latest.items():
            if receipt["kind"] != "hits":
                if date in found:
                    faults.append((date, "the export has hits"))
                continue
            digest, figures = found.get(date, (None, None))
            if digest != receipt["digest"]:
                faults.append((date, "the hits are not those that were signed"))
            if figures != receipt["figures"]:
                faults.append((date, "the figures are not those that were signed"))
    wrong = dict(reversed(faults))
    for date in sorted(latest.keys() | wrong.keys()):
        print(date, wrong.get(date, "holds"))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
