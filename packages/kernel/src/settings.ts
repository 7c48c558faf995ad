import ipaddr from 'ipaddr.js'
import { StartupError } from './errors.ts'
import { isTimeZone } from './time/instants.ts'

/** One setting of the service. */
export interface Setting<T> {
  name: string
  /** One line of description, for people. */
  meaning: string
  /** The default as people see it. */
  shownDefault: string
  read: (text: string | undefined) => T
}

/**
 * Creates a setting, with the type of what `read` returns for its text, which is undefined where it
 * is not set.
 */
export function setting<T>(
  name: string,
  meaning: string,
  shownDefault: string,
  read: (text: string | undefined) => T,
): Setting<T> {
  return { name, meaning, shownDefault, read }
}

/** Reads a whole number in [least, most], or throws a clear error. */
export function integer(name: string, fallback: number, least: number, most: number) {
  return (text: string | undefined): number => {
    if (text === undefined || text === '') return fallback
    const value = Number(text)
    if (Number.isInteger(value) && value >= least && value <= most) return value
    throw new StartupError(`${name} must be a whole number from ${least} to ${most}.`)
  }
}

/** Reads a port, or none; 0 selects any free one. */
export function optionalPort(name: string) {
  const read = integer(name, 0, 0, 65_535)
  return (text: string | undefined): number | undefined =>
    text === undefined || text === '' ? undefined : read(text)
}

/** Reads one of a few words, or throws an error that names them. */
export function oneOf<const T extends string>(name: string, allowed: readonly T[], fallback: T) {
  return (text: string | undefined): T => {
    if (text === undefined || text === '') return fallback
    const found = allowed.find((value) => value === text)
    if (found !== undefined) return found
    throw new StartupError(`${name} must be one of ${allowed.join(', ')}.`)
  }
}

/** Reads `true` or `false`, and no other spelling. */
export function boolean(name: string, fallback: boolean) {
  return (text: string | undefined): boolean => {
    if (text === undefined || text === '') return fallback
    if (text === 'true' || text === 'false') return text === 'true'
    throw new StartupError(`${name} must be true or false.`)
  }
}

/** Reads `true`, `false` or `auto`, which is undefined: its meaning follows from other settings. */
export function trueFalseOrAuto(name: string) {
  return (text: string | undefined): boolean | undefined => {
    if (text === undefined || text === '' || text === 'auto') return undefined
    if (text === 'true' || text === 'false') return text === 'true'
    throw new StartupError(`${name} must be true, false or auto.`)
  }
}

/** Reads the name of a time zone that this machine knows. */
export function timeZone(name: string, fallback: string) {
  return (text: string | undefined): string => {
    if (text === undefined || text === '') return fallback
    if (isTimeZone(text)) return text
    throw new StartupError(`${name} must be an IANA time zone, such as America/New_York.`)
  }
}

/**
 * Reads a URL of certain protocols, such as `https:`; undefined when not set.
 * @throws StartupError, which does not quote it
 */
export function url(name: string, protocols: readonly string[]) {
  return (text: string | undefined): string | undefined => {
    if (text === undefined || text === '') return undefined
    // The value may contain a password, so it never appears in the message.
    if (!URL.canParse(text) || !protocols.includes(new URL(text).protocol)) {
      throw new StartupError(
        `${name} must be a URL that starts with ${protocols.map((p) => `${p}//`).join(' or ')}.`,
      )
    }
    return text
  }
}

/** Reads a text that matches a pattern; `words` describe it after "must". */
export function matching(name: string, pattern: RegExp, words: string) {
  return (text: string | undefined): string | undefined => {
    if (text === undefined || text === '') return undefined
    if (pattern.test(text)) return text
    // The value may be secret, so it never appears in the message.
    throw new StartupError(`${name} must ${words}.`)
  }
}

/** Reads ZIP codes, comma-separated. */
export function zipCodes(name: string) {
  return (text: string | undefined): string[] => {
    const named = (text ?? '').split(',').map((zip) => zip.trim())
    if (named.every((zip) => /^(\d{5})?$/.test(zip))) return named.filter((zip) => zip !== '')
    throw new StartupError(`${name} must be a comma-separated list of ZIP codes of five digits.`)
  }
}

/** Reads a URL of any scheme, such as one that opens an app. */
export function anyUrl(name: string, fallback: string) {
  return (text: string | undefined): string => {
    if (text === undefined || text === '') return fallback
    if (URL.canParse(text)) return text
    throw new StartupError(`${name} must be a URL, such as ${fallback}.`)
  }
}

/** Reads addresses and networks, comma-separated. */
export function networks(name: string) {
  return (text: string | undefined): string[] => {
    if (text === undefined || text === '') return []
    return text.split(',').map((part) => {
      const address = part.trim()
      if (ipaddr.isValid(address) || ipaddr.isValidCIDR(address)) return address
      throw new StartupError(
        `${name} must be a comma-separated list of addresses and networks, such as 10.0.0.0/8.`,
      )
    })
  }
}
