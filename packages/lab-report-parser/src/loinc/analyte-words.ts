/**
 * Returns the words of a printed name: lower case, without accents and punctuation. `%` and `#`
 * stay, because they distinguish shares and counts.
 */
export function splitWords(text: string): string[] {
  return spellPlainly(text).match(/[a-z0-9]+|[%#]/g) ?? []
}

const sameWords: Record<string, string> = Object.fromEntries(
  Object.entries({
    ab: 'abs ak ac anti antibody antibodie anticuerpo anticorp anticorpo anticorpi antikorper antikoerper antistoffen antistof autoantibody',
    ag: 'antigen antigene antigeno antigeni',
  }).flatMap(([word, others]) => others.split(' ').map((other) => [other, word])),
)

/**
 * Returns a key that is independent of the order of words, plurals, and spellings of antibodies.
 */
export function keyOfWords(words: readonly string[]): string {
  const keys = words.map((word) => {
    const one = word.length > 4 && /[^aisu]s$/.test(word) ? word.slice(0, -1) : word
    return sameWords[one] ?? one
  })
  return [...new Set(keys)].sort().join(' ')
}

/** Returns a key that is independent of spaces and hyphens. */
export function keyWithoutSpaces(words: readonly string[]): string {
  return words.join('')
}

const spelledLetters: Record<string, string> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  α: 'alpha',
  β: 'beta',
  γ: 'gamma',
  δ: 'delta',
  κ: 'kappa',
  λ: 'lambda',
  μ: 'u',
}

function spellPlainly(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{Mark}/gu, '')
    .toLowerCase()
    .replace(/[ßæœøłαβγδκλμ]/g, (letter) => spelledLetters[letter] ?? letter)
    .replace(/['’´`]/g, '')
}
