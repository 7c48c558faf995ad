import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useEnvironment } from '../api/environment.ts'
import { type Column, DataTable, type MoreRows, type Sorting } from '../components/data-table.tsx'
import { formatQuantity } from '../components/format-quantity.ts'
import { Instant } from '../components/instant.tsx'
import { ProviderMarks } from '../components/list/provider-marks.tsx'
import type { Selection } from '../components/list/selection.tsx'
import { StatusBadge } from '../components/status-badge.tsx'
import { nameOf } from './person/person-name.ts'
import { resourceTitle } from './person/resource-title.ts'
import type { FoundPerson } from './use-people.ts'

/** Returns the name of a person, or the client id. */
export const titleOf = (person: FoundPerson): string => nameOf(person) ?? person.client_user_id

function PersonCell({ person }: { person: FoundPerson }): ReactNode {
  const { teamId, env } = useEnvironment()
  const isNamed = nameOf(person) !== undefined
  return (
    <span className="people-person">
      <Link
        to="/$team/$env/people/$user"
        params={{ team: teamId, env, user: person.user_id }}
        className="row-link"
      >
        <bdi>{titleOf(person)}</bdi>
      </Link>
      {isNamed && (
        <span className="quiet" title={person.client_user_id}>
          <bdi>{person.client_user_id}</bdi>
        </span>
      )}
      {person.email !== null && (
        <span className="quiet" title={person.email}>
          {person.email}
        </span>
      )}
    </span>
  )
}

function NewestData({ person: { newest_data: newest } }: { person: FoundPerson }): ReactNode {
  if (newest === null) return <span className="quiet">none</span>
  return (
    <span className="people-stack">
      <Instant at={newest.at} isRelative />
      <span className="quiet">{resourceTitle(newest.resource)}</span>
    </span>
  )
}

function Attention({ person }: { person: FoundPerson }): ReactNode {
  const { teamId, env } = useEnvironment()
  const { failed_connections: failed, open_tasks: tasks } = person.attention
  if (failed + tasks === 0) return <span className="quiet">none</span>
  return (
    <span className="people-stack">
      {failed > 0 && (
        <StatusBadge tone="bad">{formatQuantity(failed, 'broken connection')}</StatusBadge>
      )}
      {tasks > 0 && (
        <Link
          to="/$team/$env/tasks"
          params={{ team: teamId, env }}
          search={{ user: person.user_id } as never}
        >
          {formatQuantity(tasks, 'task')}
        </Link>
      )}
    </span>
  )
}

function OpenOrders({ person }: { person: FoundPerson }): ReactNode {
  const { teamId, env } = useEnvironment()
  if (person.open_orders === 0) return <span className="quiet">0</span>
  return (
    <Link
      to="/$team/$env/orders"
      params={{ team: teamId, env }}
      search={{ user_id: person.user_id } as never}
    >
      {person.open_orders}
    </Link>
  )
}

const COLUMNS: Column<FoundPerson>[] = [
  {
    key: 'person',
    title: 'Person',
    sortKey: 'name',
    width: 'minmax(11rem, 2fr)',
    render: (person) => <PersonCell person={person} />,
  },
  {
    key: 'newest',
    title: 'Newest data',
    sortKey: 'newest_data',
    firstDirection: 'desc',
    width: 'minmax(7.5rem, 1fr)',
    render: (person) => <NewestData person={person} />,
  },
  {
    key: 'attention',
    title: 'Attention',
    sortKey: 'attention',
    firstDirection: 'desc',
    width: 'minmax(9rem, 1.1fr)',
    render: (person) => <Attention person={person} />,
  },
  {
    key: 'orders',
    title: 'Open orders',
    width: '5.5rem',
    isNumeric: true,
    render: (person) => <OpenOrders person={person} />,
  },
  {
    key: 'sources',
    title: 'Sources',
    width: 'minmax(8rem, 1.2fr)',
    render: ({ connections }) => <ProviderMarks connections={connections} />,
  },
  {
    key: 'created',
    title: 'Added',
    sortKey: 'created_at',
    firstDirection: 'desc',
    width: '7rem',
    render: (person) => <Instant at={person.created_on} isRelative />,
  },
]

interface PeopleTableProps {
  people: readonly FoundPerson[] | undefined
  /** Whether the rows are those of the search before. */
  isStale: boolean
  more: MoreRows
  sorting: Sorting
  selection: Selection
  empty: ReactNode
}

export function PeopleTable({ people, isStale, ...table }: PeopleTableProps): ReactNode {
  return (
    <div className="people-table" aria-busy={isStale}>
      <DataTable
        label="People"
        columns={COLUMNS}
        rows={people}
        rowKey={({ user_id }) => user_id}
        nameOfRow={titleOf}
        {...table}
      />
    </div>
  )
}
