import { createContext, use } from 'react'
import { en, type Messages } from './en.ts'

/** Names in braces of a text: `'{a} of {b}'` has `'a' | 'b'`. */
type Placeholders<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Placeholders<Rest>
  : never
type Texts = Readonly<Record<string, string>>

/** Requires values for the placeholders of the text, and no argument where it has none. */
export type TranslateOf<English extends Texts> = <Key extends keyof English>(
  key: Key,
  ...values: [Placeholders<English[Key]>] extends [never]
    ? []
    : [Record<Placeholders<English[Key]>, string>]
) => string
export type Translate = TranslateOf<typeof en>

export interface Language {
  /** Tag for the lang attribute, Intl and plurals. */
  tag: string
  t: Translate
}

/** The languages beside English; each is a file that is loaded when a person uses it. */
const LOADERS: Record<string, () => Promise<Messages>> = {
  de: async () => (await import('./de.ts')).de,
  es: async () => (await import('./es.ts')).es,
  fr: async () => (await import('./fr.ts')).fr,
}
export const LANGUAGES = ['en', ...Object.keys(LOADERS)]

/** Returns the first language of the browser that has texts; else English. */
export function chooseLanguage(preferred: readonly string[]): string {
  const spoken = preferred.map((tag) => tag.toLowerCase().split('-')[0] ?? '')
  return spoken.find((tag) => LANGUAGES.includes(tag)) ?? 'en'
}

/** Loads the texts of a language; English where there are none, or they cannot be loaded. */
export async function loadLanguage(tag: string): Promise<Language> {
  // The page shows English if a file cannot be loaded.
  const messages: Messages = (await LOADERS[tag]?.().catch(() => undefined)) ?? en
  return { tag: messages === en ? 'en' : tag, t: translateWith(messages) }
}

/** Returns the translation into a language, whose texts have the keys of the English ones. */
export function translateWith<English extends Texts = typeof en>(
  messages: Readonly<Record<keyof NoInfer<English>, string>>,
): TranslateOf<English> {
  return (key, ...[values]) =>
    messages[key].replace(/\{(\w+)\}/g, (whole, name: string) => {
      return (values as Record<string, string> | undefined)?.[name] ?? whole
    })
}

export const LanguageContext = createContext<Language>({ tag: 'en', t: translateWith(en) })

/** Returns the language of the page; English outside of a LanguageContext. */
export const useLanguage = (): Language => use(LanguageContext)
