import { randomBytes } from 'node:crypto'
import { badRequest, notFoundCode } from '@salus/kernel/errors'
import { newId } from '@salus/kernel/ids'
import type { Scope } from '@salus/kernel/scope'
import {
  correctSpelling,
  normalizeSearchText,
  SHORTEST_CORRECTED,
  searchTextOf,
} from '../../catalog/index.ts'
import { readAddress, refuseField } from '../people.ts'
import type { PayorFilter, PayorRow } from './payors.repository.ts'
import * as repository from './payors.repository.ts'
import {
  FEDERAL_CODES,
  type Payor,
  type PayorCreate,
  type PayorQuery,
  type PayorSearch,
  type PayorSearchResult,
} from './payors.schema.ts'

const MOST_FOUND = 50
/** Longer queries are not names of payors, and each corrected word costs a query. */
const MOST_WORDS = 8

/** Returns an id at a clearing house for comparison: trimmed and in upper case. */
export const toExternalId = (text: string): string => text.trim().toUpperCase()

/** Returns the wire object of a payor (docs/contract/15-insurance.md#payor). */
function toPayor(row: PayorRow): Payor {
  return {
    payor_code: row.payor_code,
    name: row.name,
    aliases: row.aliases,
    org_address: row.address,
    source: row.environment_id === null ? 'platform' : 'team',
  }
}

/**
 * Searches payors by name, by their id at a provider, or both, best first. Words are corrected to
 * those of names only when no payor has all words as typed.
 * @throws AppError 400 `payor_filter_required`
 */
export async function searchPayors(scope: Scope, query: PayorQuery): Promise<Payor[]> {
  const text = query.insurance_name ?? ''
  const filter: PayorFilter = {
    provider: query.provider ?? undefined,
    externalId: query.provider_payor_id ? toExternalId(query.provider_payor_id) : undefined,
  }
  const isById = filter.provider !== undefined && filter.externalId !== undefined
  if (text.trim() === '' && !isById) {
    const message = 'Give insurance_name, or provider with provider_payor_id.'
    throw badRequest('payor_filter_required', message)
  }
  const phrase = normalizeSearchText(text)
  const words = [...new Set(phrase.split(' '))].filter(Boolean)
  // Punctuation alone is not a name.
  if (words.length === 0 && text.trim() !== '') return []
  return (await findBySpelling(scope, filter, phrase, words)).map(toPayor)
}

async function findBySpelling(
  scope: Scope,
  filter: PayorFilter,
  phrase: string,
  words: readonly string[],
): Promise<PayorRow[]> {
  const typed = { ...filter, words: words.map((word) => [word]) }
  const found = await repository.searchPayors(scope, typed, phrase, MOST_FOUND)
  if (found.length > 0 || words.length === 0 || words.length > MOST_WORDS) return found
  const corrected: string[][] = []
  for (const word of words) {
    const isShort = word.length < SHORTEST_CORRECTED
    const known = isShort ? [word] : await repository.listSimilarWords(scope, word)
    const spellings = isShort ? known : correctSpelling(word, known)
    if (spellings.length === 0) return []
    corrected.push(spellings)
  }
  const meant = corrected.map(([best]) => best).join(' ')
  return repository.searchPayors(scope, { ...filter, words: corrected }, meant, MOST_FOUND)
}

/** Searches payors with the field names of the deprecated search. */
export async function searchPayorsDeprecated(
  scope: Scope,
  { provider_id, ...search }: PayorSearch,
): Promise<PayorSearchResult[]> {
  const found = await searchPayors(scope, { ...search, provider_payor_id: provider_id ?? null })
  return found.map(({ payor_code: code, ...payor }) => ({ code, ...payor }))
}

/**
 * Creates a payor of the environment, or returns the existing one when it is the same.
 * @throws InputError 422 for an invalid address, and for a provider without its id or the reverse
 */
export async function createPayor(scope: Scope, input: PayorCreate): Promise<Payor> {
  const { provider, provider_payor_id: providerId } = input
  if (provider && !providerId) refuseField(['provider_payor_id'], 'Field required', 'missing')
  if (providerId && !provider) refuseField(['provider'], 'Field required', 'missing')
  const name = input.name.trim()
  const address = readAddress(input.address, ['address'])
  const externalId = providerId ? toExternalId(providerId) : null
  const externalIds = provider && externalId ? { [provider]: [externalId] } : {}
  const sameName = name.toLowerCase().replace(/\s+/g, ' ')
  const identity = JSON.stringify([sameName, address.zip, provider ?? null, externalId])
  const payor = {
    name,
    aliases: [],
    address: JSON.stringify(address),
    external_ids: JSON.stringify(externalIds),
    federal_code: null,
    plan_states: [],
    is_sample: false,
    is_active: true,
    identity,
    search_text: searchTextOf({ name, aliases: [], provider_id: null, loinc_codes: [] }),
    created_at: scope.clock.now(),
  }
  for (;;) {
    const ids = { id: newId(), payor_code: newPayorCode() }
    const inserted = await repository.insertOwnPayor(scope, { ...payor, ...ids })
    const row = inserted ?? (await repository.findOwnPayor(scope, identity))
    // The code was taken, whose probability is the number of payors divided by 35,000,000,000,000.
    if (row !== undefined) return toPayor(row)
  }
}

const BASE_32 = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const CODE_LETTERS = 9

/** Returns `T` and nine letters and digits, without those that are easily confused. */
function newPayorCode(): string {
  const letters = Array.from(randomBytes(CODE_LETTERS), (byte) => BASE_32[byte % BASE_32.length])
  return `T${letters.join('')}`
}

/**
 * Returns the payor of a code; the code of a federal program stands for the plan of the patient's
 * state.
 * @throws AppError 404 `payor_not_found`
 */
export async function getPayor(scope: Scope, code: string, state: string): Promise<PayorRow> {
  const federal = FEDERAL_CODES.find((known) => known === code)
  const payor =
    federal === undefined
      ? await repository.findPayor(scope, code)
      : await repository.findFederalPlan(scope, federal, state.toUpperCase())
  if (payor === undefined) throw notFoundCode('payor_not_found')
  return payor
}
