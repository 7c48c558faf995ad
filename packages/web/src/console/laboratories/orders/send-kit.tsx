import { Button, NativeSelect, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { unwrapResponse } from '../../api/client.ts'
import { useEnvironment } from '../../api/environment.ts'
import type { components } from '../../api/openapi.generated.d.ts'
import { Dialog } from '../../components/dialog.tsx'
import '../new-order/new-order.css'
import { ChosenList, SearchPicker } from '../../components/search-picker.tsx'
import { filledFields, type Named, NEW_DRAFT, type OrderDraft } from '../new-order/order-draft.ts'
import { errorOf, type PartProps, Refused } from '../new-order/part.tsx'
import { PersonPart } from '../new-order/person-part.tsx'
import { STATES } from '../new-order/us-states.ts'
import { problemsOfRefusal } from '../new-order/validation.ts'

type KitOrder = components['schemas']['TestkitOrder']

/** Orders a kit that its user registers later. */
export function SendKit(): ReactNode {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button variant="outline" onClick={() => setOpen(true)}>
        Send kit
      </Button>
      <Dialog
        className="wide-dialog"
        title="Send kit"
        isOpen={isOpen}
        onClose={() => setOpen(false)}
      >
        <KitForm />
      </Dialog>
    </>
  )
}

function KitForm(): ReactNode {
  const [draft, setDraft] = useState(NEW_DRAFT)
  const [receiver, setReceiver] = useState('')
  const send = useSending()
  const { person, tests, patient, address } = draft
  const part: PartProps = {
    draft,
    change: (changes) => setDraft((now) => ({ ...now, ...changes })),
    problems: problemsOfRefusal(send.error),
    demands: null,
    isTried: send.error !== null,
  }
  const isWhole = person !== null && tests.length > 0
  return (
    <form
      className="stack"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (isWhole) send.mutate(toKitOrder(draft, receiver))
      }}
    >
      <p>
        You need not know yet who uses the kit. Until it is registered, it belongs to the person
        that you choose here.
      </p>
      <PersonPart {...part} update={setDraft} />
      <KitPicker {...part} />
      <div className="field-grid">
        <TextInput
          label="Receiver"
          autoComplete="off"
          value={receiver}
          error={errorOf(part, 'shipping_details.receiver_name')}
          onChange={({ currentTarget }) => setReceiver(currentTarget.value)}
        />
        <TextInput
          label="Phone number"
          type="tel"
          autoComplete="off"
          value={patient.phone_number}
          error={errorOf(part, 'shipping_details.phone_number')}
          onChange={({ currentTarget }) =>
            part.change({ patient: { ...patient, phone_number: currentTarget.value } })
          }
        />
        {PLACE.map(([field, label]) => (
          <TextInput
            key={field}
            label={label}
            autoComplete="off"
            value={address[field]}
            error={errorOf(part, `shipping_details.${field}`)}
            onChange={({ currentTarget }) =>
              part.change({ address: { ...address, [field]: currentTarget.value } })
            }
          />
        ))}
        <NativeSelect
          label="State"
          value={address.state}
          error={errorOf(part, 'shipping_details.state')}
          onChange={({ currentTarget }) =>
            part.change({ address: { ...address, state: currentTarget.value } })
          }
          data={[{ value: '', label: 'Choose' }, ...STATES]}
        />
      </div>
      <Refused error={send.error} problems={part.problems} />
      <div className="form-actions">
        <Button type="submit" disabled={!isWhole} loading={send.isPending}>
          Send kit
        </Button>
      </div>
    </form>
  )
}

const PLACE = [
  ['first_line', 'Street and number'],
  ['second_line', 'Apartment (optional)'],
  ['city', 'City'],
  ['zip', 'ZIP code'],
] as const

function KitPicker({ draft, change }: PartProps): ReactNode {
  const { team } = useEnvironment()
  if (draft.tests.length > 0) {
    return (
      <ChosenList
        label="Chosen kit"
        items={draft.tests}
        nameOf={({ name }) => name}
        onRemove={() => change({ tests: [] })}
      />
    )
  }
  return (
    <SearchPicker<Named<string>>
      name="kits"
      label="Find a kit"
      placeholder="Name of the test"
      fewest={0}
      search={async (name, signal) => {
        const kind = { status: 'active', collection_method: 'testkit' } as const
        const query = { ...kind, lab_test_limit: 30, ...(name && { name }) }
        const { data } = await unwrapResponse(
          team.GET('/v3/lab_test', { params: { query }, signal }),
        )
        return data.map(({ id, name: title, lab }) => ({
          key: id,
          title,
          detail: lab?.name,
          item: { id, name: title },
        }))
      }}
      onPick={(test) => change({ tests: [test] })}
    />
  )
}

function toKitOrder({ person, tests, patient, address }: OrderDraft, receiver: string): KitOrder {
  const { first_line, second_line, city, state, zip } = address
  const place = { first_line, second_line, city, state, zip }
  const whom = { receiver_name: receiver, phone_number: patient.phone_number }
  // Missing fields are reported by the server, field by field.
  const details = filledFields({ ...place, ...whom }) as unknown as KitOrder['shipping_details']
  return {
    user_id: person?.id ?? '',
    lab_test_id: tests[0]?.id ?? '',
    shipping_details: { ...details, country: 'US' },
  }
}

/** Orders the kit, and opens the page of the order. */
function useSending() {
  const { team, teamId, env, key } = useEnvironment()
  const client = useQueryClient()
  const navigate = useNavigate()
  return useMutation({
    mutationFn: (body: KitOrder) => unwrapResponse(team.POST('/v3/order/testkit', { body })),
    onSuccess: async ({ order: { id: order } }) => {
      await client.invalidateQueries({ queryKey: [...key, 'orders'] })
      await navigate({ to: '/$team/$env/orders/$order', params: { team: teamId, env, order } })
    },
  })
}
