/**
 * Corrects words where recognition confused letters; undefined if no word needs it or one stays
 * unknown. Short words are never corrected: too many of them mean something else.
 */
export function repairWords(
  words: readonly string[],
  known: ReadonlySet<string>,
): { words: string[]; score: number } | undefined {
  let score = 0.93
  let isRepaired = false
  const repaired: string[] = []
  for (const word of words) {
    if (known.has(word) || word.length < 5) {
      repaired.push(word)
      continue
    }
    const nearest = otherWords.has(word) ? undefined : findNearest(word, known)
    if (!nearest) return undefined
    score = Math.min(score, nearest.score)
    repaired.push(nearest.word)
    isRepaired = true
  }
  return isRepaired ? { words: repaired, score } : undefined
}

/** Words of other analytes, which are no misspelling of a known word. */
const otherWords = new Set(
  `androstenediol androsterone androstanediol bilirubinate chlorine cholestanol cortisone cycloserine dimeric
  ethylmalonic erythroblasts hexobarbital homocystine lactase macroalbumin macroglobulin mephenytoin methanol nitrate
  pentobarbital prednisone prednisolone proteinase retinal secobarbital streptomycin sulfite synephrine`.split(
    /\s+/,
  ),
)

/** Replaces letters that recognition confuses by one of them. */
function mergeLookAlikes(word: string): string {
  return word
    .replace(/rn/g, 'm')
    .replace(/vv/g, 'w')
    .replace(/cl/g, 'd')
    .replace(/[l1jt|]/g, 'i')
    .replace(/[0q]/g, 'o')
    .replace(/[ce]/g, 'c')
    .replace(/[5]/g, 's')
    .replace(/[8]/g, 'b')
    .replace(/[6]/g, 'g')
    .replace(/[uv]/g, 'u')
}

const lookAlikes = new WeakMap<ReadonlySet<string>, Map<string, string | null>>()

function findNearest(
  word: string,
  known: ReadonlySet<string>,
): { word: string; score: number } | undefined {
  let merged = lookAlikes.get(known)
  if (!merged) {
    merged = new Map()
    for (const one of known) {
      const key = mergeLookAlikes(one)
      merged.set(key, merged.has(key) ? null : one)
    }
    lookAlikes.set(known, merged)
  }
  const same = merged.get(mergeLookAlikes(word))
  if (same) return { word: same, score: 0.92 }
  if (word.length < 7) return undefined
  const allowed = word.length >= 11 ? 2 : 1
  let best: string | undefined
  let bestDistance = allowed + 1
  let isTie = false
  for (const one of known) {
    if (one.length < 6 || Math.abs(one.length - word.length) > allowed) continue
    const distance = countEdits(word, one, Math.min(bestDistance, allowed))
    if (distance < bestDistance) {
      best = one
      bestDistance = distance
      isTie = false
    } else if (distance === bestDistance) isTie = true
  }
  if (!best || isTie) return undefined
  return { word: best, score: bestDistance === 1 && word.length >= 9 ? 0.89 : 0.8 }
}

/** Counts inserted, missing, replaced and swapped letters; more than `most` counts as infinite. */
function countEdits(a: string, b: string, most: number): number {
  let before: number[] = []
  let row = Array.from({ length: b.length + 1 }, (_, at) => at)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    let least = i
    for (let j = 1; j <= b.length; j++) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1
      let edits = Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, (row[j - 1] ?? 0) + cost)
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        edits = Math.min(edits, (before[j - 2] ?? 0) + 1)
      }
      next.push(edits)
      least = Math.min(least, edits)
    }
    if (least > most) return Infinity
    before = row
    row = next
  }
  return row[b.length] ?? Infinity
}
