/** What the page says of health data on a phone, by provider. */
interface AppTexts {
  /** Name that people know; that of the interface is the name for developers. */
  name: string
  /** Further words by which people search for it. */
  words: string
  /** Prefix of the texts. */
  texts: 'app_apple' | 'app_android'
}

const APP_TEXTS: Readonly<Record<string, AppTexts>> = {
  apple_health_kit: {
    name: 'Apple Health',
    words: 'iphone apple watch ios',
    texts: 'app_apple',
  },
  health_connect: {
    name: 'Health Connect',
    words: 'android google samsung galaxy pixel',
    texts: 'app_android',
  },
}

export const appNameOf = (slug: string): string | undefined => APP_TEXTS[slug]?.name
export const appWordsOf = (slug: string): string => APP_TEXTS[slug]?.words ?? ''
export const appTextsOf = (slug: string): AppTexts['texts'] =>
  APP_TEXTS[slug]?.texts ?? 'app_android'
