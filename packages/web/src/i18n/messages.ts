import { createContext, use } from 'react'
import { en, type MessageKey, type Messages } from './en.ts'

/** Names in braces of a text: `'{a} of {b}'` has `'a' | 'b'`. */
type Placeholders<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Placeholders<Rest>
  : never
type Values<Key extends MessageKey> = Placeholders<(typeof en)[Key]>

/** Takes what the text has placeholders for, and nothing where it has none. */
export type Translate = <Key extends MessageKey>(
  key: Key,
  ...values: [Values<Key>] extends [never] ? [] : [Record<Values<Key>, string>]
) => string

export interface Language {
  /** For the lang attribute, Intl and plurals. */
  tag: string
  t: Translate
}

/** The languages beside English, each a file of its own that is loaded when it is spoken. */
const LOADERS: Record<string, () => Promise<Messages>> = {
  de: async () => (await import('./de.ts')).de,
  es: async () => (await import('./es.ts')).es,
  fr: async () => (await import('./fr.ts')).fr,
}
export const LANGUAGES = ['en', ...Object.keys(LOADERS)]

/** The first language of the browser that there are texts in; else English. */
export function chooseLanguage(preferred: readonly string[]): string {
  const spoken = preferred.map((tag) => tag.toLowerCase().split('-')[0] ?? '')
  return spoken.find((tag) => LANGUAGES.includes(tag)) ?? 'en'
}

/** The texts of a language; English when there are none, or they cannot be loaded. */
export async function loadLanguage(tag: string): Promise<Language> {
  // A text that did not arrive is no reason to show nothing.
  const messages: Messages = (await LOADERS[tag]?.().catch(() => undefined)) ?? en
  return { tag: messages === en ? 'en' : tag, t: translateWith(messages) }
}

export function translateWith(messages: Messages): Translate {
  return (key, ...[values]) =>
    messages[key].replace(/\{(\w+)\}/g, (whole, name: string) => {
      return (values as Record<string, string> | undefined)?.[name] ?? whole
    })
}

export const LanguageContext = createContext<Language>({ tag: 'en', t: translateWith(en) })

/** The language that the page is shown in; English outside of a LanguageContext. */
export const useLanguage = (): Language => use(LanguageContext)
