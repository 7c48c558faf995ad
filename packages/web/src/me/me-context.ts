import { createContext, use } from 'react'
import { useTexts } from './language.ts'
import type { Access, MeClient } from './me-client.ts'

interface Me {
  client: MeClient
  access: Access
  /** Replaces what is known of the session. */
  setAccess: (access: Access) => void
  /** Ends the page with a last word. */
  end: (reason: 'signed_out' | 'erase_scheduled') => void
}

export const MeContext = createContext<Me | undefined>(undefined)

export function useMe(): Me {
  const me = use(MeContext)
  if (me === undefined) throw new Error('There is no session around this part of the page.')
  return me
}

/** Formats numbers and times in the language and the local time of the person. */
export function useFormats() {
  const { tag } = useTexts()
  const { access } = useMe()
  const timeZone = access.time_zone
  return {
    number: (value: number, digits = 0): string =>
      value.toLocaleString(tag, { maximumFractionDigits: digits }),
    percent: (share: number): string =>
      share.toLocaleString(tag, { style: 'percent', maximumFractionDigits: 0 }),
    bytes: (bytes: number): string =>
      (bytes / 1_000_000).toLocaleString(tag, {
        style: 'unit',
        unit: 'megabyte',
        maximumFractionDigits: 1,
      }),
    /** Of an instant. */
    date: (at: string): string =>
      new Date(at).toLocaleDateString(tag, { dateStyle: 'medium', timeZone }),
    /** Of a calendar date. */
    day: (date: string): string =>
      new Date(`${date}T00:00:00Z`).toLocaleDateString(tag, {
        dateStyle: 'medium',
        timeZone: 'UTC',
      }),
    list: (names: readonly string[]): string => new Intl.ListFormat(tag).format(names),
  }
}
