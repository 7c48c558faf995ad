import { NativeSelect } from '@mantine/core'
import { queryOptions, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { unwrapResponse } from '../../api/client.ts'
import { type Environment, useEnvironment } from '../../api/environment.ts'
import { describeMethod } from '../../components/order-words.ts'
import { ChosenList, SearchPicker } from '../../components/search-picker.tsx'
import type { Named } from './order-draft.ts'
import { errorOf, FormPart, type PartProps } from './part.tsx'

const REASONS = [
  { value: '', label: 'Choose a reason' },
  { value: 'INCORRECT_LAB', label: 'It went to the wrong laboratory' },
  { value: 'INCORRECT_TEST', label: 'It was for the wrong test' },
  { value: 'INCORRECT_PATIENT_DETAILS', label: 'Details of the patient were wrong' },
  { value: 'SAMPLE_LOST', label: 'The sample was lost' },
  { value: 'OTHER', label: 'Something else' },
]

/** The ordered tests: saved ones and single markers, all of one laboratory. */
export function TestsPart(props: PartProps): ReactNode {
  const { draft, change, problems, demands, isTried } = props
  const without = <Id,>(items: readonly Named<Id>[], gone: Named<Id>) =>
    items.filter(({ id }) => id !== gone.id)
  return (
    <FormPart
      id="tests"
      problems={problems}
      isTried={isTried}
      shown={['update_reason']}
      description={demands && `The laboratory is ${demands.lab.name}.`}
    >
      {draft.replaces && (
        <NativeSelect
          label="Reason for the replacement"
          description="The former order is cancelled if that is still possible."
          value={draft.reason}
          error={
            isTried && draft.reason === ''
              ? 'This field is required.'
              : errorOf(props, 'update_reason')
          }
          onChange={({ currentTarget }) => change({ reason: currentTarget.value })}
          data={REASONS}
        />
      )}
      <ChosenList
        label="Chosen tests"
        items={draft.tests}
        nameOf={({ name }) => name}
        onRemove={(test) => change({ tests: without(draft.tests, test), answers: {} })}
      />
      <TestPicker {...props} />
      <ChosenList
        label="Chosen markers"
        items={draft.addOns}
        nameOf={({ name }) => name}
        onRemove={(marker) => change({ addOns: without(draft.addOns, marker), answers: {} })}
      />
      <MarkerPicker {...props} />
      {demands && demands.markers.length > 0 && (
        <p className="quiet">
          {demands.markers.length === 1 ? 'One marker' : `${demands.markers.length} markers`}:{' '}
          {demands.markers.map(({ name }) => name).join(', ')}.
          {demands.needs_fasting && ' The patient must fast.'}
        </p>
      )}
      <AccountChoice {...props} />
    </FormPart>
  )
}

function TestPicker({ draft, change, demands }: PartProps): ReactNode {
  const { team } = useEnvironment()
  const lab = draft.tests.length + draft.addOns.length > 0 ? demands?.lab.slug : undefined
  return (
    <SearchPicker<Named<string>>
      name="tests"
      label={draft.tests.length > 0 ? 'Add another test' : 'Find a test'}
      placeholder="Name of the test"
      fewest={0}
      dependsOn={[lab]}
      search={async (name, signal) => {
        const query = {
          status: 'active' as const,
          lab_test_limit: 30,
          ...(name && { name }),
          ...(lab && { lab_slug: lab }),
        }
        const { data } = await unwrapResponse(
          team.GET('/v3/lab_test', { params: { query }, signal }),
        )
        return data.map((test) => ({
          key: test.id,
          title: test.name,
          detail: [test.lab?.name, describeMethod(test.method), test.fasting && 'fasting']
            .filter(Boolean)
            .join(', '),
          item: { id: test.id, name: test.name },
        }))
      }}
      onPick={(test) => {
        if (draft.tests.some(({ id }) => id === test.id)) return
        change({ tests: [...draft.tests, test] })
      }}
    />
  )
}

function MarkerPicker({ draft, change, demands }: PartProps): ReactNode {
  const { team } = useEnvironment()
  const lab = draft.tests.length + draft.addOns.length > 0 ? demands?.lab.slug : undefined
  return (
    <SearchPicker<Named<number>>
      name="markers"
      label="Add a single marker"
      description="Markers that the laboratory lets you order one by one."
      placeholder="Name, or code of the laboratory"
      dependsOn={[lab]}
      search={async (name, signal) => {
        const query = { name, a_la_carte_enabled: true, size: 30, ...(lab && { lab_slug: lab }) }
        const request = team.GET('/v3/lab_tests/markers', { params: { query }, signal })
        return (await unwrapResponse(request)).markers.map((marker) => ({
          key: String(marker.id),
          title: marker.name,
          detail: [marker.provider_id, marker.aoe && 'has questions'].filter(Boolean).join(', '),
          item: { id: marker.id, name: marker.name },
        }))
      }}
      onPick={(marker) => {
        if (draft.addOns.some(({ id }) => id === marker.id)) return
        change({ addOns: [...draft.addOns, marker] })
      }}
    />
  )
}

export const accountsQuery = ({ key, team }: Environment) =>
  queryOptions({
    queryKey: [...key, 'lab_accounts'],
    queryFn: async ({ signal }) =>
      (await unwrapResponse(team.GET('/v3/lab_test/lab_account', { signal }))).data,
    staleTime: 60_000,
  })

/** The account at the laboratory; shown only where there is a choice. */
function AccountChoice({ draft, change, demands, ...props }: PartProps): ReactNode {
  const { data = [] } = useQuery(accountsQuery(useEnvironment()))
  const fitting = data.filter(({ lab, status }) => lab === demands?.lab.slug && status === 'active')
  if (fitting.length < 2 && draft.accountId === '') return null
  return (
    <NativeSelect
      label="Account at the laboratory"
      value={draft.accountId}
      error={errorOf(props, 'lab_account_id')}
      onChange={({ currentTarget }) => change({ accountId: currentTarget.value })}
      data={[
        { value: '', label: fitting.length > 1 ? 'Choose an account' : 'Default account' },
        ...fitting.map((account) => ({
          value: account.id,
          label: `${account.account_name ?? 'Account'} (${account.provider_account_id})`,
        })),
      ]}
    />
  )
}
