import { Button } from '@mantine/core'
import { type ReactNode, useEffect, useMemo, useState } from 'react'
import { useEnvironment } from '../api/environment.ts'
import { Allowed } from '../components/allowed.tsx'
import { EmptyState } from '../components/empty-state.tsx'
import { Failure } from '../components/failure.tsx'
import { IconUserPlus } from '../components/icons.tsx'
import { BulkBar } from '../components/list/bulk-bar.tsx'
import { ExportButton } from '../components/list/export-button.tsx'
import { SavedViews } from '../components/list/saved-views.tsx'
import { useSelection } from '../components/list/selection.tsx'
import { Page } from '../components/page.tsx'
import { useViewState } from '../shell/view-state.ts'
import { DemoOffer } from '../start/demo-offer.tsx'
import { NewPersonDialog } from './new-person-dialog.tsx'
import { peopleActions } from './people-actions.tsx'
import { PeopleFilters } from './people-filters.tsx'
import { PeopleTable, titleOf } from './people-table.tsx'
import { ALL_PEOPLE, peopleViewOf, toPeopleFilters, usePeople } from './use-people.ts'
import './people.css'

/** Lists and searches the people of the environment. */
export function PeoplePage(): ReactNode {
  const environment = useEnvironment()
  const [{ add, view: viewId, ...view }, change] = useViewState({
    ...ALL_PEOPLE,
    add: '',
    view: '',
  })
  const [isAdding, setAdding] = useState(false)
  // The address can open the dialog once.
  useEffect(() => {
    if (add === '') return
    setAdding(true)
    change({ add: '' })
  }, [add, change])
  // Searched names are not in the address: they live as long as the page.
  const [words, setWords] = useState('')
  const [searches, setSearches] = useState(0)
  const filters = toPeopleFilters(view)
  const people = usePeople(filters, words)
  const rows = useMemo(() => people.data?.pages.flatMap((page) => page.users), [people.data])
  const selection = useSelection(useMemo(() => rows?.map(({ user_id: id }) => id) ?? [], [rows]))
  const { order_key: _, order_direction: __, ...narrowing } = filters
  const isNarrowed = words !== '' || Object.keys(narrowing).length > 0
  const total = people.data?.pages[0]?.total
  const clear = () => {
    change({ ...ALL_PEOPLE, view: '' })
    setWords('')
    // The field keeps its own words.
    setSearches((count) => count + 1)
  }
  const addButton = (
    <Allowed to="people:write">
      <Button leftSection={<IconUserPlus size={18} aria-hidden />} onClick={() => setAdding(true)}>
        Add person
      </Button>
    </Allowed>
  )
  return (
    <Page
      title="People"
      description="People whose data and orders this environment stores."
      actions={addButton}
    >
      <SavedViews
        list="people"
        allTitle="All people"
        filters={{ ...filters }}
        viewId={viewId || undefined}
        hasSearch={words !== ''}
        onOpen={(next, id) => change({ ...peopleViewOf(next), view: id ?? '' }, { push: true })}
      />
      <PeopleFilters
        key={searches}
        view={view}
        isNarrowed={isNarrowed}
        onChange={change}
        onSearch={setWords}
        onClear={clear}
      />
      <div className="list-tools">
        <p role="status">{total !== undefined && describeTotal(total, isNarrowed)}</p>
        <ExportButton
          permissions={['people:write', 'demographics:read']}
          name="people"
          request={() =>
            environment.team.POST('/v2/user/search/export', {
              body: { query: words, ...filters },
              parseAs: 'blob',
            }) as never
          }
        />
      </div>
      {people.error !== null && <Failure error={people.error} onRetry={() => people.refetch()} />}
      {people.error === null && (
        <PeopleTable
          people={rows}
          isStale={people.isPlaceholderData}
          more={people}
          selection={selection}
          sorting={{
            key: view.sort || 'created_at',
            direction: directionOf(view),
            onSort: (sort, direction) =>
              change(isDefault(sort, direction) ? UNSORTED : { sort, direction }),
          }}
          empty={isNarrowed ? <NobodyFound /> : <NobodyYet action={addButton} />}
        />
      )}
      <BulkBar
        selection={selection}
        noun={['person', 'people']}
        nameOf={(id) => {
          const person = rows?.find(({ user_id: userId }) => userId === id)
          return person === undefined ? 'Person' : titleOf(person)
        }}
        actions={peopleActions(environment)}
        onDone={() => people.refetch()}
      />
      {total !== undefined && !isNarrowed && <DemoOffer people={total} />}
      <NewPersonDialog isOpen={isAdding} onClose={() => setAdding(false)} />
    </Page>
  )
}

const UNSORTED = { sort: '', direction: '' }
const isDefault = (sort: string, direction: string): boolean =>
  sort === 'created_at' && direction === 'desc'

/** As the server sorts without a direction. */
const directionOf = ({ sort, direction }: { sort: string; direction: string }): 'asc' | 'desc' => {
  if (direction === '') return sort === 'name' ? 'asc' : 'desc'
  return direction === 'asc' ? 'asc' : 'desc'
}

function describeTotal(total: number, isNarrowed: boolean): string {
  const count = `${total.toLocaleString('en')} ${total === 1 ? 'person' : 'people'}`
  return isNarrowed ? `${count} found` : count
}

function NobodyFound(): ReactNode {
  return (
    <EmptyState title="No people match.">
      Try fewer words, the beginning of an id, or another filter. Names and e-mail addresses are
      found when they were stored with the person or an order.
    </EmptyState>
  )
}

function NobodyYet({ action }: { action: ReactNode }): ReactNode {
  return (
    <EmptyState title="No people yet." action={action}>
      Add a person here or with <code>POST /v2/user</code>, then connect a wearable or order a test
      for them.
    </EmptyState>
  )
}
