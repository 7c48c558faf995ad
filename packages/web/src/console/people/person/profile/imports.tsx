import { useSuspenseQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { unwrapResponse } from '../../../api/client.ts'
import { useEnvironment } from '../../../api/environment.ts'
import { formatQuantity } from '../../../components/format-quantity.ts'
import { Instant } from '../../../components/instant.tsx'
import { Section } from '../../../components/page.tsx'
import { StatusBadge, type Tone } from '../../../components/status-badge.tsx'

const STATES: Record<string, { tone: Tone; title: string }> = {
  queued: { tone: 'neutral', title: 'Waiting' },
  running: { tone: 'info', title: 'Reading' },
  completed: { tone: 'good', title: 'Done' },
  failed: { tone: 'bad', title: 'Failed' },
}

/** Lists imported files of the person; renders nothing without any. */
export function Imports({ userId }: { userId: string }): ReactNode {
  const { key, team } = useEnvironment()
  const { data: jobs } = useSuspenseQuery({
    queryKey: [...key, 'person', userId, 'imports'],
    queryFn: async ({ signal }) => {
      const params = { path: { user_id: userId } }
      return (await unwrapResponse(team.GET('/v2/user/{user_id}/import', { params, signal }))).jobs
    },
    refetchInterval: ({ state }) =>
      state.data?.some(({ status }) => status === 'queued' || status === 'running') ? 3000 : false,
  })
  if (jobs.length === 0) return null
  return (
    <Section title="Imported files">
      <ul className="imports">
        {jobs.map((job) => {
          const { tone, title } = STATES[job.status] ?? { tone: 'neutral', title: job.status }
          const { bytes_read: read, bytes_total: total, records } = job.progress
          return (
            <li key={job.id}>
              <StatusBadge tone={tone}>{title}</StatusBadge>
              <span>
                {job.source === 'apple_health' ? 'Apple Health' : job.source},{' '}
                {(job.file_bytes / 1e6).toFixed(1)} MB, {formatQuantity(records, 'record')}
              </span>
              {job.status === 'running' && total > 0 && (
                <progress max={total} value={read} aria-label="Import progress" />
              )}
              <span className="quiet">
                <Instant at={job.finished_at ?? job.created_at} isRelative />
              </span>
              {job.error !== null && <span>{job.error.error_message}</span>}
            </li>
          )
        })}
      </ul>
    </Section>
  )
}
