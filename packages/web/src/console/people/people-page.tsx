import { Button } from '@mantine/core'
import { type ReactNode, useEffect, useState } from 'react'
import { Allowed } from '../components/allowed.tsx'
import { EmptyState } from '../components/empty-state.tsx'
import { Failure } from '../components/failure.tsx'
import { IconUserPlus } from '../components/icons.tsx'
import { Page } from '../components/page.tsx'
import { useViewState } from '../shell/view-state.ts'
import { DemoOffer } from '../start/demo-offer.tsx'
import { NewPersonDialog } from './new-person-dialog.tsx'
import { PeopleFilters } from './people-filters.tsx'
import { PeopleTable } from './people-table.tsx'
import { ALL_PEOPLE, usePeople } from './use-people.ts'
import './people.css'

/** Lists and searches the people of the environment. */
export function PeoplePage(): ReactNode {
  const [{ add, ...view }, change] = useViewState({ ...ALL_PEOPLE, add: '' })
  const [isAdding, setAdding] = useState(false)
  // The address can open the dialog once.
  useEffect(() => {
    if (add === '') return
    setAdding(true)
    change({ add: '' })
  }, [add, change])
  // Searched names are not in the address: they live as long as the page.
  const [words, setWords] = useState('')
  const people = usePeople({ ...view, words })
  const isNarrowed = words !== '' || view.provider !== '' || view.state !== ''
  const total = people.data?.pages[0]?.total
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
      <PeopleFilters view={view} onChange={change} onSearch={setWords} />
      <p className="people-count" role="status">
        {total !== undefined && describeTotal(total, isNarrowed)}
      </p>
      {people.error !== null && <Failure error={people.error} onRetry={() => people.refetch()} />}
      {people.error === null && (
        <PeopleTable
          people={people.data?.pages.flatMap((page) => page.users)}
          isStale={people.isPlaceholderData}
          more={people}
          empty={isNarrowed ? <NobodyFound /> : <NobodyYet action={addButton} />}
        />
      )}
      {total !== undefined && !isNarrowed && <DemoOffer people={total} />}
      <NewPersonDialog isOpen={isAdding} onClose={() => setAdding(false)} />
    </Page>
  )
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
