"""24.7: tmp"""

from collections import Counter

from g2c.swarm.provided.reading import Errand


def read_all(question, files, ask, budget):
    packs = [[]]
    n = 0
    for f in files:
        if n + f.tokens > 300 and packs[-1]:
            packs.append([])
            n = 0
        packs[-1].append(f.name)
        n += f.tokens

    def fact(about):
        c = Counter(
            cl.value for r in ask([Errand(about, tuple(p)) for p in packs]) for cl in r.claims
        )
        return c.most_common(1)[0][0] if c else None

    return fact(question.about)
