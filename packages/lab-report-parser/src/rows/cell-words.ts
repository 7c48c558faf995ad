import { uniteBoxes } from '../layout/lines.ts'
import type { Word } from '../pages/page.ts'
import type { Field } from '../report.ts'

/** Joins a lone colon to the word before it. */
export function joinColons(words: readonly Word[]): Word[] {
  const joined: Word[] = []
  for (const word of words) {
    const before = joined[joined.length - 1]
    const isEqual = before && /^(?:or|[<>])$/i.test(before.text)
    if (before && !isEqual && /^(?::[-–]?|=)$/.test(word.text))
      joined[joined.length - 1] = { ...before, text: `${before.text}:` }
    else if (/^:[-–]?$/.test(word.text)) continue
    else joined.push(/^:./.test(word.text) && before ? dropColon(word) : word)
  }
  return joined
}

function dropColon(word: Word): Word {
  const step = word.box.width / word.text.length
  const box = { ...word.box, x: word.box.x + step, width: word.box.width - step }
  return { ...word, text: word.text.slice(1), box }
}

const glued =
  /^(\*{1,2}|[↑↓▲▼△▽⬆⬇!]{1,2}|[HL](?=\s?[\d<>]))?\(?([<>≤≥]{0,2}=?\d[\d.,]*)(\*{1,2}|[↑↓▲▼△▽⬆⬇!]{1,2}|[HL]{1,2}|%|(?:[munpµμ]?[gLlU]|mmol|mEq|m?IU|UI|fL|pg)(?:\/[\p{L}\d²³]+)?|%?\))?$/u

/**
 * Splits a value from its joined flag or unit.
 */
export function splitGlued(word: Word): Word[] {
  const colon =
    /^(\p{L}[\p{L}.]{2,}:)([<>]?\d.*)$/u.exec(word.text) ??
    /^([<>]?\d[\d.,]*)(\((?:H{1,2}|L{1,2})\))$/.exec(word.text)
  const match = colon ? null : glued.exec(word.text)
  const parts = colon
    ? [colon[1], colon[2]]
    : match && (match[1] || match[3]) && !/[()]/.test(word.text)
      ? [match[1], match[2], match[3]]
      : null
  const texts = parts?.filter((part) => part !== undefined && part !== '') as string[] | undefined
  if (!texts || texts.length < 2) return [word]
  const step = word.box.width / word.text.length
  let from = 0
  return texts.map((text) => {
    const at = word.text.indexOf(text, from)
    from = at + text.length
    const box = { ...word.box, x: word.box.x + step * at, width: step * text.length }
    return { ...word, text, box }
  })
}

/** Returns the words of a cell as one field. */
export function toField(words: readonly Word[], page: number): Field {
  let text = ''
  let last: Word | undefined
  for (const word of words) {
    const gap = last ? word.box.x - (last.box.x + last.box.width) : 0
    const isTight = gap < word.box.height * 0.06 && gap > -word.box.height
    text += text === '' || isTight ? word.text : ` ${word.text}`
    last = word
  }
  return {
    text,
    page,
    box: uniteBoxes(words.map((word) => word.box)),
    confidence: Math.min(...words.map((word) => word.confidence)),
  }
}

/** Returns the words as one text. */
export function textOf(words: readonly Word[]): string {
  return words.map((word) => word.text).join(' ')
}
