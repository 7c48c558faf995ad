import { Button, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { unwrapResponse } from '../../api/client.ts'
import { useEnvironment } from '../../api/environment.ts'
import { Failure } from '../../components/failure.tsx'
import { ChosenList, SearchPicker } from '../../components/search-picker.tsx'
import { type DraftPerson, newDraft } from '../../people/person/laboratory/insurance-draft.ts'
import { InsuranceDialog } from '../../people/person/laboratory/insurance-form.tsx'
import type { OrderDraft } from './order-draft.ts'
import type { PartProps } from './part.tsx'

interface Payor {
  code: string
  name: string
}

/** Adds an insurance policy of the patient, filled in from the order. */
export function AddInsurance({ draft, userId }: PartProps & { userId: string }): ReactNode {
  const { team, key } = useEnvironment()
  const client = useQueryClient()
  const [payor, setPayor] = useState<Payor>()
  const [member, setMember] = useState('')
  const [isAllFields, setAllFields] = useState(false)
  const add = useMutation({
    mutationFn: () => addPolicy(team, userId, draft, { payor_code: payor?.code ?? '', member }),
    onSuccess: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: [...key, 'insurance', userId] }),
        client.invalidateQueries({ queryKey: [...key, 'order_validation'] }),
      ]),
  })
  return (
    <div className="stack sub-form">
      <p>The person has no insurance yet. Add the policy that they hold:</p>
      {payor ? (
        <ChosenList
          label="Chosen insurer"
          items={[payor]}
          nameOf={({ name }) => name}
          onRemove={() => setPayor(undefined)}
        />
      ) : (
        <SearchPicker<Payor>
          name="payors"
          label="Insurer"
          placeholder="Name of the insurer"
          search={async (words, signal) => {
            const query = { insurance_name: words }
            const request = team.GET('/v3/insurance/search/payor', { params: { query }, signal })
            return (await unwrapResponse(request))
              .slice(0, 20)
              .map(({ payor_code: code, name }) => ({
                key: code,
                title: name,
                detail: code,
                item: { code, name },
              }))
          }}
          onPick={setPayor}
        />
      )}
      <TextInput
        label="Member number"
        maxLength={100}
        autoComplete="off"
        value={member}
        onChange={({ currentTarget }) => setMember(currentTarget.value)}
      />
      <p className="quiet">
        The fields under Patient are stored as the demographics of the person and of the insured.
      </p>
      {add.error && <Failure error={add.error} />}
      <div className="sub-form-actions">
        <Button
          variant="outline"
          disabled={payor === undefined || member.trim() === ''}
          loading={add.isPending}
          onClick={() => add.mutate()}
        >
          Add insurance
        </Button>
        <Button variant="subtle" onClick={() => setAllFields(true)}>
          Someone else holds it, or all fields
        </Button>
      </div>
      <InsuranceDialog
        userId={userId}
        first={{ ...newDraft(null), payor, member_id: member, insured: insuredOf(draft) }}
        isOpen={isAllFields}
        onClose={() => setAllFields(false)}
      />
    </div>
  )
}

/** Returns the insured person of the dialog: the patient of the order. */
function insuredOf({ patient, address }: OrderDraft): DraftPerson {
  const { first_name, last_name, dob, gender, phone_number, email } = patient
  const { first_line, second_line, city, state, zip: zip_code } = address
  return {
    ...newDraft(null).insured,
    ...{ first_name, last_name, dob, gender, phone_number, email },
    ...{ first_line, second_line, city, state, zip_code },
  }
}

type Team = ReturnType<typeof useEnvironment>['team']

/**
 * The API needs the demographics of a person before their policy (docs/contract/15-insurance.md).
 */
async function addPolicy(
  team: Team,
  userId: string,
  { patient, address }: OrderDraft,
  { payor_code, member }: { payor_code: string; member: string },
) {
  const params = { path: { user_id: userId } }
  const { first_line, second_line, city, state, zip } = address
  const place = { first_line, second_line: second_line || null, city, state, country: 'US' }
  const { first_name, last_name, dob, gender, phone_number, email } = patient
  const person = { first_name, last_name, dob, gender, phone_number, email }
  const info = { ...person, address: { ...place, zip } }
  await unwrapResponse(team.PATCH('/v2/user/{user_id}/info', { params, body: info as never }))
  const body = {
    payor_code,
    member_id: member.trim(),
    relationship: 'Self' as const,
    insured: { ...person, address: { ...place, zip_code: zip } },
    is_primary: true,
  }
  return unwrapResponse(team.POST('/v2/user/{user_id}/insurance', { params, body: body as never }))
}
