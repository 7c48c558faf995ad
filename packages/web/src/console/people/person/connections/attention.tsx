import { useSuspenseQueries, useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useContext } from 'react'
import { useEnvironment } from '../../../api/environment.ts'
import { IconAlertTriangle, IconCircleCheck, IconInfoCircle } from '../../../components/icons.tsx'
import { formatRelative, ShownZone } from '../../../components/instant.tsx'
import {
  connectionsQuery,
  historyQuery,
  providersQuery,
  quarantineQuery,
  resourcesQuery,
} from '../person-queries.ts'
import { findProblems, type Problem } from './find-problems.ts'
import './attention.css'

/** Lists problems with the data of the person, or says that there are none. */
export function Attention({ userId }: { userId: string }): ReactNode {
  const environment = useEnvironment()
  const zone = useContext(ShownZone)
  const [connections, resources, history, quarantine] = useSuspenseQueries({
    queries: [
      connectionsQuery(environment, userId),
      resourcesQuery(environment, userId),
      historyQuery(environment, userId),
      quarantineQuery(environment, userId, { limit: 1 }),
    ],
  })
  const { data: providers } = useSuspenseQuery(providersQuery(environment))
  if (connections.data.length === 0) return null
  const problems = findProblems({
    connections: connections.data,
    resources: resources.data,
    history: history.data,
    newestQuarantined: quarantine.data.items[0],
    nameOf: (slug) => providers.get(slug)?.name ?? slug,
    now: new Date(),
    ago: (at) => formatRelative(new Date(at), zone),
  })
  if (problems.length === 0) {
    return (
      <p className="attention-well">
        <IconCircleCheck size={20} aria-hidden /> Every connection works, and all data were stored.
      </p>
    )
  }
  return (
    <ul className="attention" aria-label="What needs attention">
      {problems.map((problem) => (
        <ProblemRow key={problem.key} problem={problem} />
      ))}
    </ul>
  )
}

function ProblemRow({ problem: { tone, text, tab, hash, more } }: { problem: Problem }): ReactNode {
  const Icon = tone === 'info' ? IconInfoCircle : IconAlertTriangle
  return (
    <li className="attention-problem" data-tone={tone}>
      <Icon size={20} aria-hidden />
      <span>
        {text}{' '}
        <Link to="." search={{ tab } as never} {...(hash !== undefined && { hash })}>
          {more}
        </Link>
      </span>
    </li>
  )
}
