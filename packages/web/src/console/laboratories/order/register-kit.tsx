import { Button, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { unwrapResponse } from '../../api/client.ts'
import { useEnvironment } from '../../api/environment.ts'
import type { components } from '../../api/openapi.generated.d.ts'
import { Dialog } from '../../components/dialog.tsx'
import { findOrderStatus } from '../../components/order-statuses.registry.ts'
import { ConsentsPart } from '../new-order/consents-part.tsx'
import '../new-order/new-order.css'
import { hasText, NEW_DRAFT, toBody } from '../new-order/order-draft.ts'
import { errorOf, Refused } from '../new-order/part.tsx'
import { PatientPart } from '../new-order/patient-part.tsx'
import { PersonPart } from '../new-order/person-part.tsx'
import { PhysicianPart } from '../new-order/physician-part.tsx'
import { problemsOfRefusal } from '../new-order/validation.ts'
import { type Order, useOrderChanged } from './order-queries.ts'

/**
 * A physician of the network orders only with these
 * (docs/contract/11-orders.md#post-v3ordertestkitregister).
 */
const NEEDED_CONSENTS = ['hipaa-authorization', 'terms-of-use', 'telehealth-informed-consent']

/** Registers the patient of a kit that was sent without one. */
export function RegisterKit({ order }: { order: Order }): ReactNode {
  const [isOpen, setOpen] = useState(false)
  const isKit = order.details.type === 'testkit' && order.patient_details === null
  if (!isKit || !findOrderStatus(order.last_event.status)?.canRegister) return null
  const close = () => setOpen(false)
  return (
    <>
      <Button onClick={() => setOpen(true)}>Register kit</Button>
      <Dialog className="wide-dialog" title="Register kit" isOpen={isOpen} onClose={close}>
        <RegistrationForm order={order} onDone={close} />
      </Dialog>
    </>
  )
}

interface RegistrationFormProps {
  order: Order
  onDone: () => void
}

function RegistrationForm({ order, onDone }: RegistrationFormProps): ReactNode {
  const [draft, setDraft] = useState(NEW_DRAFT)
  const [number, setNumber] = useState(order.sample_id ?? '')
  const register = useRegistration(order, onDone)
  const problems = problemsOfRefusal(register.error)
  const part = {
    draft,
    change: (changes: Partial<typeof draft>) => setDraft((now) => ({ ...now, ...changes })),
    problems,
    demands: null,
    isTried: register.error !== null,
  }
  return (
    <form
      className="stack"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        const { user_id, patient_details, patient_address, physician, consents } = toBody(draft)
        const person = user_id === undefined ? {} : { user_id }
        const by = physician ? { physician } : {}
        const patient = { patient_details, patient_address, consents }
        register.mutate({ sample_id: number.trim(), ...person, ...by, ...patient } as Registration)
      }}
    >
      <p>
        The results go to the person who uses the kit. Without one they go to the person of the
        order.
      </p>
      <TextInput
        label="Number of the kit"
        description={
          order.sample_id === null
            ? 'As printed on the kit. It is known here once the kit is shipped.'
            : 'As printed on the kit.'
        }
        maxLength={100}
        autoComplete="off"
        value={number}
        error={errorOf(part, 'sample_id')}
        onChange={({ currentTarget }) => setNumber(currentTarget.value)}
      />
      <PersonPart {...part} update={setDraft} />
      <PatientPart {...part} />
      <ConsentsPart {...part} needed={hasText(draft.physician) ? [] : NEEDED_CONSENTS} />
      <PhysicianPart {...part} />
      <Refused error={register.error} problems={problems} />
      <div className="form-actions">
        <Button type="submit" loading={register.isPending}>
          Register kit
        </Button>
      </div>
    </form>
  )
}

type Registration = components['schemas']['TestkitRegistration']

function useRegistration(order: Order, onDone: () => void) {
  const { team } = useEnvironment()
  const changed = useOrderChanged()
  return useMutation({
    mutationFn: (body: Registration) =>
      unwrapResponse(team.POST('/v3/order/testkit/register', { body })),
    onSuccess: async () => {
      await changed(order.id)
      onDone()
    },
  })
}
