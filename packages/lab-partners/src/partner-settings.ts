import { readFileSync } from 'node:fs'
import { isNpi } from '@salus/kernel/check-digits'
import { Secret } from '@salus/kernel/crypto/credential-store'
import { StartupError } from '@salus/kernel/errors'
import { ENVIRONMENTS, type EnvironmentKind } from '@salus/kernel/scope'
import { isRecord, type JsonRecord } from './partner-json.ts'

export interface GetlabsSettings {
  clientId: string
  /** The API secret, which signs requests for tokens. */
  secret: Secret
  /** Base URL without a slash at the end. */
  url: string
}

export interface UspsSettings {
  clientId: string
  clientSecret: Secret
  /** Base URL without a slash at the end. */
  url: string
  requestsPerHour: number
}

export interface StediSettings {
  apiKey: Secret
  url: string
  /** The provider in whose name payors are questioned; it must be enrolled with them. */
  organizationName: string
  npi: string
}

export interface NppesSettings {
  url: string
}

/** The partners that an environment uses; the others are off. */
export interface PartnerSettings {
  getlabs?: GetlabsSettings
  usps?: UspsSettings
  stedi?: StediSettings
  nppes?: NppesSettings
}

export type LabPartnerSettings = Readonly<Record<EnvironmentKind, PartnerSettings>>

const SETTING = 'SALUS_LAB_PARTNERS'
const settingError = (words: string) => new StartupError(`${SETTING} ${words}.`)

/**
 * Parses SALUS_LAB_PARTNERS: JSON, or the path of a JSON file, such as `{"production": {"usps":
 * {"client_id": "…", "client_secret": "…"}}}`.
 * @throws StartupError that names the problem without quoting the setting
 */
export function parseLabPartners(setting: string | undefined): LabPartnerSettings {
  if (setting === undefined || setting.trim() === '') return { sandbox: {}, production: {} }
  const given = parseJson(setting.trimStart().startsWith('{') ? setting : readFile(setting))
  if (!isRecord(given)) throw settingError('must be a JSON object of environments')
  requireKnown(given, ENVIRONMENTS, `has an environment that is not one of ${list(ENVIRONMENTS)}`)
  const read = (environment: EnvironmentKind) => readPartners(environment, given[environment])
  return { sandbox: read('sandbox'), production: read('production') }
}

const list = (names: readonly string[]) => names.join(', ')

function readFile(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    throw settingError('must be JSON or the path of a readable file')
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw settingError('is not valid JSON')
  }
}

/** Unknown names may be secrets in the wrong position, so they are not shown. */
function requireKnown(record: JsonRecord, known: readonly string[], problem: string): void {
  if (!Object.keys(record).every((name) => known.includes(name))) throw settingError(problem)
}

const READERS = {
  getlabs: readGetlabs,
  usps: readUsps,
  stedi: readStedi,
  nppes: readNppes,
} as const

function readPartners(environment: string, given: unknown = {}): PartnerSettings {
  if (!isRecord(given)) throw settingError(`must give ${environment} an object of partners`)
  const names = Object.keys(READERS) as (keyof typeof READERS)[]
  requireKnown(given, names, `has a partner of ${environment} that is not one of ${list(names)}`)
  const entries = names
    .filter((name) => given[name] !== undefined)
    .map((name) => [name, READERS[name](fieldsOf(`${environment}.${name}`, given[name]))])
  return Object.fromEntries(entries)
}

/** Reads the fields of a partner and refuses unknown ones. */
interface Fields {
  text(name: string): string
  secret(name: string): Secret
  url(name: string, fallback: string): string
  npi(name: string): string
  count(name: string, fallback: number, most: number): number
  /** Refuses fields that were not read. */
  end(): void
}

function fieldsOf(path: string, given: unknown): Fields {
  if (!isRecord(given)) throw settingError(`must give ${path} an object`)
  const read = new Set<string>()
  const take = (name: string): unknown => {
    read.add(name)
    return given[name]
  }
  const text = (name: string): string => {
    const value = take(name)
    if (typeof value === 'string' && value.trim() !== '') return value
    throw settingError(`must give ${path} a ${name}`)
  }
  return {
    text,
    secret: (name) => new Secret(text(name)),
    url(name, fallback) {
      const value = take(name) ?? fallback
      const url = typeof value === 'string' ? URL.parse(value) : null
      const isWeb = url?.protocol === 'https:' || url?.protocol === 'http:'
      if (url === null || !isWeb) throw settingError(`must give ${path} a ${name} that is a URL`)
      return url.href.replace(/\/$/, '')
    },
    npi(name) {
      const value = text(name)
      if (isNpi(value)) return value
      throw settingError(`must give ${path} a ${name} with a right check digit`)
    },
    count(name, fallback, most) {
      const value = take(name) ?? fallback
      if (Number.isInteger(value) && Number(value) >= 1 && Number(value) <= most) {
        return Number(value)
      }
      throw settingError(`must give ${path} a ${name} from 1 to ${most}`)
    },
    end: () => requireKnown(given, [...read], `gives ${path} a field that it does not have`),
  }
}

function readGetlabs(fields: Fields): GetlabsSettings {
  const settings = {
    clientId: fields.text('client_id'),
    secret: fields.secret('secret'),
    url: fields.url('url', 'https://api.getlabs.com'),
  }
  fields.end()
  return settings
}

function readUsps(fields: Fields): UspsSettings {
  const settings = {
    clientId: fields.text('client_id'),
    clientSecret: fields.secret('client_secret'),
    url: fields.url('url', 'https://apis.usps.com'),
    requestsPerHour: fields.count('requests_per_hour', 60, 1_000_000),
  }
  fields.end()
  return settings
}

function readStedi(fields: Fields): StediSettings {
  const settings = {
    apiKey: fields.secret('api_key'),
    url: fields.url(
      'url',
      'https://healthcare.us.stedi.com/2024-04-01/change/medicalnetwork/eligibility/v3',
    ),
    organizationName: fields.text('organization_name'),
    npi: fields.npi('npi'),
  }
  fields.end()
  return settings
}

function readNppes(fields: Fields): NppesSettings {
  const settings = { url: fields.url('url', 'https://npiregistry.cms.hhs.gov/api') }
  fields.end()
  return settings
}
