import { useSuspenseQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useEnvironment } from '../../../api/environment.ts'
import type { components } from '../../../api/openapi.generated.d.ts'
import { providersQuery } from '../person-queries.ts'
import { REASONS_TO_COUNT, RULES_OF_SAMENESS, sourceTitle } from './source-words.ts'

type SetAside = components['schemas']['SetAsideSummary']

interface SameRecordsProps {
  resource: 'sleep' | 'workouts'
  session: Pick<components['schemas']['MergedSleep'], 'source' | 'merged'>
}

/**
 * Opens the records that a sleep or workout was merged of: which of them counts, and why. Shows
 * nothing for one that a single source recorded.
 */
export function SameRecords({ resource, session }: SameRecordsProps): ReactNode {
  const { data: providers } = useSuspenseQuery(providersQuery(useEnvironment()))
  const { set_aside: aside } = session.merged
  if (aside.length === 0) return null
  const nameOf = (slug: string): string => providers.get(slug)?.name ?? slug
  return (
    <details className="same-records">
      <summary>Merged of {aside.length + 1} records, counted once</summary>
      <section aria-label={LABELS[resource]}>
        <ul>
          <li>{sourceTitle(session.source, nameOf)}: counts, and is shown here</li>
          {aside.map((one) => (
            <li key={one.id}>
              {sourceTitle(one.source, nameOf)}: <span className="quiet">{explain(one)}</span>
            </li>
          ))}
        </ul>
      </section>
    </details>
  )
}

const LABELS = { sleep: 'Records of this sleep', workouts: 'Records of this workout' }

const explain = ({ rule, reason }: SetAside): string =>
  `${RULES_OF_SAMENESS[rule] ?? rule}; the other one ${REASONS_TO_COUNT[reason] ?? reason}`
