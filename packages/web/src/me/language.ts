import { createContext, use } from 'react'
import { type TranslateOf, translateWith } from '../i18n/messages.ts'
import { en, type MeTexts } from './texts/en.ts'

export type Translate = TranslateOf<typeof en>

/** The languages beside English; each is a file that is loaded when a person uses it. */
const LOADERS: Record<string, () => Promise<MeTexts>> = {
  de: async () => (await import('./texts/de.ts')).de,
  es: async () => (await import('./texts/es.ts')).es,
  fr: async () => (await import('./texts/fr.ts')).fr,
}

interface MeLanguage {
  /** Tag for the lang attribute. */
  tag: string
  t: Translate
}

/** Loads the texts of a language; English where there are none, or they cannot be loaded. */
export async function loadMeLanguage(tag: string): Promise<MeLanguage> {
  const texts = await LOADERS[tag]?.().catch(() => undefined)
  return texts === undefined
    ? { tag: 'en', t: translateWith<typeof en>(en) }
    : { tag, t: translateWith<typeof en>(texts) }
}

export const MeLanguageContext = createContext<MeLanguage>({
  tag: 'en',
  t: translateWith<typeof en>(en),
})

export const useTexts = (): MeLanguage => use(MeLanguageContext)
