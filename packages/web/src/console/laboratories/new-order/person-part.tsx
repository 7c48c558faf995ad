import { useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ApiError } from '../../api/api-error.ts'
import { useEnvironment } from '../../api/environment.ts'
import { findPeople } from '../../components/person-picker.tsx'
import { ChosenList, SearchPicker } from '../../components/search-picker.tsx'
import { demographicsQuery } from '../../people/person/person-queries.ts'
import { fillFromInfo, type Named, type OrderDraft } from './order-draft.ts'
import { errorOf, FormPart, type PartProps } from './part.tsx'

interface PersonPartProps extends PartProps {
  update: (change: (draft: OrderDraft) => OrderDraft) => void
}

/** The person of the order. Their demographics fill empty fields. */
export function PersonPart({ update, ...props }: PersonPartProps): ReactNode {
  const { draft, change, problems, isTried } = props
  const environment = useEnvironment()
  const client = useQueryClient()
  const pick = async (person: Named<string>) => {
    change({ person })
    const info = await client
      .fetchQuery({ ...demographicsQuery(environment, person.id), retry: false })
      .catch((error: unknown) => {
        // The form shows what is missing.
        if (error instanceof ApiError) return null
        throw error
      })
    if (info) update((now) => (now.person?.id === person.id ? fillFromInfo(now, info) : now))
  }
  return (
    <FormPart id="person" problems={problems} isTried={isTried} shown={['user_id']}>
      {draft.person ? (
        <ChosenList
          label="Person of the order"
          items={[draft.person]}
          nameOf={({ name }) => name}
          onRemove={() => change({ person: null })}
        />
      ) : (
        <SearchPicker<Named<string>>
          name="people"
          label="Find a person"
          placeholder="Name, e-mail, your own id of the person, or user id"
          fewest={0}
          error={errorOf(props, 'user_id')}
          search={(words, signal) => findPeople(environment, words, signal)}
          onPick={pick}
        />
      )}
    </FormPart>
  )
}
