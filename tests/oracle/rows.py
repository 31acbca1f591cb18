# SPDX-License-Identifier: Apache-2.0
"""Readers: a data file as rows (id, observations, class or None)."""
import csv

from parameters import MISSING


def merged(pairs):
    """Equal observations are one with the summed weight, in a canonical order."""
    weights = {}
    for key, weight in pairs:
        weights[key] = weights.get(key, 0) + weight
    return tuple(sorted(weights.items()))


def table(path):
    with open(path, newline="", encoding="utf-8-sig") as file:
        first = file.readline()
        file.seek(0)
        delimiter = "\t" if "\t" in first else ","
        for record in csv.DictReader(file, delimiter=delimiter):
            yield {k.strip(): (v or "").strip() for k, v in record.items() if k is not None}


def number(text):
    value = float(text)
    return int(value) if value == int(value) else value


def read_csv(parameters, path, missing):
    label = parameters.label["column"] if parameters.label else None
    for i, record in enumerate(table(path), 1):
        pairs = []
        for name, j in parameters.index.items():
            text = record.get(name, "")
            key = None if text in missing else parameters.cell(j, text)
            if key is not None:
                pairs.append((key, 1))
        for name, (b, v) in parameters.words.items():
            text = record.get(name, "")
            count = 0 if text in missing else number(text)
            if count:
                pairs.append((("w", b, v), count))
        known = label is not None and record.get(label, "") not in missing
        yield str(i), merged(pairs), record[label] if known else None


def read_ldac(parameters, path, _missing):
    with open(path, encoding="utf-8") as file:
        for i, line in enumerate((text for text in file if text.strip()), 1):
            pairs = []
            for field in line.split()[1:]:
                word, count = field.split(":")
                if int(word) < len(parameters.word_order) and float(count) > 0:
                    pairs.append((parameters.word_order[int(word)], number(count)))
            yield str(i), merged(pairs), None


def read_triplets(parameters, path, missing):
    users = {}
    for record in table(path):
        user, item, value = list(record.values())[:3]
        pairs = users.setdefault(user, [])
        if value in missing or item not in parameters.index:
            continue
        key = parameters.cell(parameters.index[item], value)
        if key is not None:
            pairs.append((key, 1))
    for user, pairs in users.items():
        yield user, merged(pairs), None


READERS = {"csv": read_csv, "ldac": read_ldac, "triplets": read_triplets}


def read(parameters, path, form="csv", missing=()):
    return list(READERS[form](parameters, path, MISSING | set(missing)))
