import { DAY_MS } from '@salus/contracts/time-units'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Refusals, sendJson } from '../answers.ts'
import { ROBOT_PAGE } from '../pages.ts'
import { dayOfDate } from '../people/local-time.ts'
import { Sessions } from '../sessions.ts'
import type { Vendor, VendorContext } from '../vendor.ts'
import { diaryDay } from './diary.ts'

const SLUG = 'my_fitness_pal'
const MOST_DAYS = 31
/** There are no diaries older than this many days. */
const PAST_DAYS = 400

const refuse = (reply: FastifyReply, status: number, error: string): FastifyReply =>
  reply.status(status).send({ error })

const REFUSALS: Refusals = {
  rateLimited: (reply, seconds) => refuse(reply.header('retry-after', seconds), 429, 'slow down'),
  failed: (reply, status) => refuse(reply, status, 'server_error'),
  unauthorized: (reply) => refuse(reply, 403, 'forbidden'),
}

/** Names of profiles are not case-sensitive. */
const accountOf = (typed: string): string => typed.trim().toLowerCase()

/** Keys of diaries do not expire; a closed account has another one. */
const sessionsOf = (context: VendorContext): Sessions => new Sessions(context, PAST_DAYS * DAY_MS)

async function readDiary(
  context: VendorContext,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const body = (request.body ?? {}) as Record<string, unknown>
  const { username: named } = request.query as { username?: string }
  const account = accountOf(String(body.username ?? ''))
  if (account === '' || account === 'unknown' || accountOf(named ?? '') !== account) {
    return refuse(reply, 404, 'not_found')
  }
  const outcome = await sessionsOf(context).outcomeOf(account, String(body.key ?? ''))
  if (outcome === 'down') return reply.status(503).type('text/plain').send('Service Unavailable')
  if (outcome === 'robot') return reply.status(403).type('text/html').send(ROBOT_PAGE)
  // Older versions of the page say it with status 200.
  if (outcome === 'expired') return reply.type('text/plain').send('The diary key is not correct.')
  if (outcome !== 'signed_in') return refuse(reply, 403, 'forbidden')
  const [from, to] = [body.from, body.to].map((text) => dayOfDate(String(text)))
  if (from === undefined || to === undefined || from > to || to - from >= MOST_DAYS) {
    return refuse(reply, 400, 'invalid_range')
  }
  const { clock, calendarOf, faults } = context
  const now = clock.now().getTime()
  const calendar = calendarOf(account)
  const first = Math.max(from, calendar.dayAt(now).number - PAST_DAYS)
  const found = await faults.find(account, 'data', 'diary')
  return sendJson(reply, found, REFUSALS, () => {
    const days = Array.from({ length: Math.max(0, to - first + 1) }, (_, index) =>
      diaryDay(calendar, first + index, now),
    )
    const repeats = found.some(({ kind }) => kind === 'duplicate_pages')
    return JSON.stringify(repeats ? [...days, ...days] : days)
  })
}

function register(app: FastifyInstance, context: VendorContext): void {
  app.post('/web/api/services/authenticate_diary_key', (request, reply) =>
    readDiary(context, request, reply),
  )
}

/** Shared diaries of MyFitnessPal (docs/sandbox.md#my_fitness_pal). */
export const myFitnessPal: Vendor = {
  slug: SLUG,
  name: 'MyFitnessPal',
  register,
  truth(calendar, { from, to }, now) {
    const days = calendar.days({ from, to })
    return { diary: days.map(({ number }) => diaryDay(calendar, number, now)) }
  },
  accountIdOf: accountOf,
  accountOf,
  expire: async () => {},
  revoke: (context, account) => sessionsOf(context).end(account, true),
}
