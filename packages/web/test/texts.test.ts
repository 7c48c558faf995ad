import assert from 'node:assert/strict'
import { test } from 'node:test'
import { de } from '../src/i18n/de.ts'
import { en } from '../src/i18n/en.ts'
import { es } from '../src/i18n/es.ts'
import { fr } from '../src/i18n/fr.ts'
import { chooseLanguage, translateWith } from '../src/i18n/messages.ts'
import { de as meDe } from '../src/me/texts/de.ts'
import { en as meEn } from '../src/me/texts/en.ts'
import { es as meEs } from '../src/me/texts/es.ts'
import { fr as meFr } from '../src/me/texts/fr.ts'
import { contrastOf, makeAccent } from '../src/theme/brand-color.ts'

type Texts = Readonly<Record<string, string>>

/** The texts of the pages: the English ones, those of other languages, and what is the same. */
const PAGES: [english: Texts, others: Record<string, Texts>, shared: string[]][] = [
  [en, { de, es, fr }, ['field_code', 'list_count_one']],
  [meEn, { de: meDe, es: meEs, fr: meFr }, ['access_team', 'unit_hours', 'export_format']],
]

test('every language says the same with the same placeholders, and all of it in its own words', () => {
  const placeholders = (text: string): string[] => [...new Set(text.match(/\{\w+\}/g))].sort()
  for (const [texts, others, shared] of PAGES) {
    for (const [language, translated] of Object.entries(others)) {
      for (const [key, text] of Object.entries(translated)) {
        const english = texts[key] ?? ''
        assert.ok(text.trim() !== '', `${language} ${key}`)
        if (!shared.includes(key)) assert.notEqual(text, english, `${language} ${key}`)
        // What is plain from a heading need not be named again.
        const extra = placeholders(text).filter((name) => !placeholders(english).includes(name))
        assert.deepEqual(extra, [], `${language} ${key}`)
      }
    }
  }
})

test('a placeholder takes a text as it is, and no text is searched again', () => {
  const t = translateWith(en)
  const text = t('consent_title_provider', { provider: '{team}', team: '$& <b>' })
  assert.equal(text, 'Share your {team} data with $& <b>')
})

test('the first language of a browser that there are texts in is spoken, else English', () => {
  assert.equal(chooseLanguage(['pt-BR', 'fr-CA', 'de']), 'fr')
  assert.equal(chooseLanguage(['DE-ch']), 'de')
  assert.equal(chooseLanguage(['toString', 'ja']), 'en')
  assert.equal(chooseLanguage([]), 'en')
})

test('whatever color a team has, texts in it and on it can be read', () => {
  const colorOf = (text: string) =>
    text.match(/\d+/g)?.map(Number) as unknown as Parameters<typeof contrastOf>[0]
  const backgrounds = { light: [255, 255, 255], dark: [27, 32, 31] } as const
  for (let value = 0; value < 0x1000; value += 7) {
    const color = `#${value.toString(16).padStart(3, '0')}`
    for (const scheme of ['light', 'dark'] as const) {
      const accent = makeAccent(color, scheme)
      assert.ok(accent)
      const background = backgrounds[scheme]
      const where = `${color} ${scheme}`
      assert.ok(contrastOf(colorOf(accent.onFill), colorOf(accent.fill)) >= 4.5, where)
      assert.ok(contrastOf(colorOf(accent.text), background) >= 4.5, where)
      assert.ok(contrastOf(colorOf(accent.fillLine), background) >= 3, where)
    }
  }
  assert.deepEqual(makeAccent('#1A6b5B', 'light'), makeAccent('1a6b5b', 'light'))
  for (const bad of ['', 'red', '#12', '#12345g', 'url(x)'])
    assert.equal(makeAccent(bad, 'dark'), undefined)
})
