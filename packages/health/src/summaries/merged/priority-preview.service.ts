import { getUserRow, type UserRow } from '@salus/accounts/users'
import { findSeries, type Series } from '@salus/contracts/series'
import type { Scope } from '@salus/kernel/scope'
import { formatInstant } from '@salus/kernel/time/instants'
import {
  findSourceRanking,
  readTeamChanges,
  readUserRules,
  type SourceRanking,
} from '../../source-priorities/index.ts'
import { type MergedItem, mergeRankedDay, toMergedSource } from '../../timeseries/index.ts'
import { type DayOutcomes, mergeDayByRankings } from './merged-sessions.service.ts'
import type {
  PreviewSlot,
  PriorityPreview,
  PriorityPreviewInput,
  RecordOutcome,
} from './priority-preview.schema.ts'
import { type SessionResource, sourceKey } from './session-record.ts'

/**
 * Merges one local day of a user by the stored priorities and by proposed ones. Stores nothing.
 * @throws AppError 404 for the user, 422 for an unknown slug or a duplicate rule, 400
 *   `range_too_large` where data overlap too much
 */
export async function previewPriorities(
  scope: Scope,
  userId: string,
  input: PriorityPreviewInput,
): Promise<PriorityPreview> {
  const { resource, date, source_priorities: ofUser, team_source_priorities: ofTeam } = input
  const proposal = {
    ...(ofUser !== undefined && { ofUser: readUserRules({ source_priorities: ofUser }) }),
    ...(ofTeam !== undefined && { ofTeam: readTeamChanges(ofTeam, ['body', IN_BODY]) }),
  }
  const user = await getUserRow(scope, userId)
  const rankings = await Promise.all([
    findSourceRanking(scope, user.id, resource),
    findSourceRanking(scope, user.id, resource, proposal),
  ])
  const series = findSeries(resource)
  const compared =
    series === undefined
      ? await compareRecords(scope, user, resource as SessionResource, { date, rankings })
      : await compareSlots(scope, user, series, { date, rankings })
  return { resource, unit: series?.unit ?? null, date, ...compared }
}

const IN_BODY = 'team_source_priorities'

interface DayToCompare {
  date: string
  rankings: [before: SourceRanking, after: SourceRanking]
}

type Compared = Omit<PriorityPreview, 'resource' | 'unit' | 'date'>

async function compareSlots(
  scope: Scope,
  user: UserRow,
  series: Series,
  { date, rankings: [stored, proposed] }: DayToCompare,
): Promise<Compared> {
  const before = await mergeRankedDay(scope, user, { series, date, ranking: stored })
  const after = await mergeRankedDay(scope, user, { series, date, ranking: proposed })
  return {
    sources_before: before.sources,
    sources_after: after.sources,
    day: pairSlots(before.day, after.day),
    hours: pairSlots(before.hours, after.hours),
    records: [],
  }
}

/** Pairs values of the same time, which one of two rankings may lack. */
function pairSlots(before: readonly MergedItem[], after: readonly MergedItem[]): PreviewSlot[] {
  const pairs = new Map<string, PreviewSlot>()
  for (const [side, items] of [['before', before] as const, ['after', after] as const]) {
    for (const item of items) {
      const { start, end, timezone_offset, type, value, min, max, count, sources } = item
      const key = `${start} ${type}`
      const known = pairs.get(key) ?? {
        start,
        end,
        timezone_offset,
        type,
        before: null,
        after: null,
      }
      pairs.set(key, { ...known, [side]: { value, min, max, count, sources } })
    }
  }
  const textOf = ({ start, type }: PreviewSlot): string => `${start} ${type}`
  return [...pairs.values()].sort((a, b) => (textOf(a) < textOf(b) ? -1 : 1))
}

async function compareRecords(
  scope: Scope,
  user: UserRow,
  resource: SessionResource,
  { date, rankings }: DayToCompare,
): Promise<Compared> {
  const person = { userId: user.id, fallbackZone: user.fallback_time_zone }
  const [before, after] = (await mergeDayByRankings(scope, resource, person, {
    date,
    rankings,
  })) as [DayOutcomes, DayOutcomes]
  const records = [...before.values()]
    .map(({ record }) => record)
    .sort((a, b) => a.startedAt - b.startedAt || (a.id < b.id ? -1 : 1))
  const sources = [...new Map(records.map((record) => [sourceKey(record), record])).values()]
  const sourcesBy = ({ compare }: SourceRanking) =>
    sources.toSorted(compare).slice(0, MOST_SOURCES).map(toMergedSource)
  return {
    sources_before: sourcesBy(rankings[0]),
    sources_after: sourcesBy(rankings[1]),
    day: [],
    hours: [],
    records: records.map((record) => ({
      id: record.id,
      source: toMergedSource(record),
      start: formatInstant(record.startedAt),
      end: formatInstant(record.endedAt),
      before: outcomeOf(before, record.id),
      after: outcomeOf(after, record.id),
    })),
  }
}

const MOST_SOURCES = 50

function outcomeOf(outcomes: DayOutcomes, id: string): RecordOutcome {
  const lost = outcomes.get(id)?.lost
  return {
    counts: lost === undefined,
    won_by_id: lost?.wonBy.id ?? null,
    rule: lost?.rule ?? null,
    reason: lost?.reason ?? null,
  }
}
