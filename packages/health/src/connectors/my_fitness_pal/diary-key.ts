import type { OutboundAnswer } from '@salus/kernel/outbound/request'
import type { PasswordSignIn, VendorTokens } from '../connector.ts'
import { renewedTokens } from '../renewed-tokens.ts'
import { readJson, VendorError, type VendorFailure, type VendorRequest } from '../vendor-client.ts'
import { isFields } from '../vendor-records.ts'

export const SLUG = 'my_fitness_pal'
export const WEB = 'https://www.myfitnesspal.com'

/** Returns the request for the days of a diary; `withKey` adds whose and the key. */
export const diaryRequest = (from: string, to: string): VendorRequest => ({
  method: 'POST',
  host: 'web',
  path: '/api/services/authenticate_diary_key',
  json: {
    from,
    to,
    show_food_diary: 1,
    show_food_notes: 0,
    show_exercise_diary: 0,
    show_exercise_notes: 0,
  },
})

/** Adds the person and the key of the diary, as the page for printing does. */
export function withKey(request: VendorRequest, tokens: VendorTokens): VendorRequest {
  const { username = '' } = tokens.extra ?? {}
  const json = isFields(request.json) ? request.json : {}
  const days = `from=${String(json.from)}&to=${String(json.to)}`
  const name = encodeURIComponent(username.toWellFormed())
  return {
    ...request,
    query: { username },
    headers: { origin: WEB, referer: `${WEB}/reports/printable-diary/${name}?${days}` },
    json: { ...json, key: tokens.accessToken, username },
  }
}

/** The vendor answers a wrong key by its status, or with status 200 and a sentence. */
const WRONG_KEY = /not correct|incorrect/i
/** Characters of an answer that are searched. */
const MOST_SEARCHED = 400

/**
 * Reads the failure of an answer. A page in place of JSON comes from a check for bots, with
 * whatever status, and says nothing about the person.
 */
export function failureOf(answer: OutboundAnswer): VendorFailure | undefined {
  const type = answer.header('content-type') ?? ''
  if (/^text\/html/i.test(type)) {
    return answer.status >= 500 ? undefined : { kind: 'blocked', retryAfterMs: null }
  }
  if (answer.status === 401 || answer.status === 403) return { kind: 'unauthorized' }
  const begin = answer.bytes().toString('utf8', 0, MOST_SEARCHED).trimStart()
  const isList = begin.startsWith('[')
  return !isList && WRONG_KEY.test(begin) ? { kind: 'unauthorized' } : undefined
}

/** The user name is that of the profile; the password is the key of the diary. */
const signIn: PasswordSignIn['signIn'] = async (send, { username, password }, { now }) => {
  const name = username.trim().toLowerCase()
  const tokens: VendorTokens = {
    accessToken: password,
    refreshToken: null,
    expiresAt: null,
    extra: { username: name },
  }
  const today = new Date(now).toISOString().slice(0, 10)
  try {
    const answer = await send(withKey(diaryRequest(today, today), tokens))
    if (answer.status === 404) return { state: 'refused', reason: 'wrong_credential' }
    if (!Array.isArray(readJson(SLUG, answer))) {
      throw new VendorError(SLUG, { kind: 'unexpected', status: answer.status })
    }
    return { state: 'signed_in', tokens, accountId: name }
  } catch (error) {
    if (!(error instanceof VendorError) || error.failure.kind !== 'unauthorized') throw error
    return { state: 'refused', reason: 'wrong_credential' }
  }
}

/** Tries the key again: where it is refused once more, the person has changed it. */
export const DIARY_KEY: PasswordSignIn = {
  kind: 'password',
  signIn,
  renew: async (send, _tokens, given, context) =>
    renewedTokens(SLUG, await signIn(send, given, context)),
}
