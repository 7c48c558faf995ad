import { Button, Checkbox, NativeSelect, TextInput } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useId, useState } from 'react'
import { ApiError, invalidFieldsOf } from '../../../api/api-error.ts'
import { unwrapResponse } from '../../../api/client.ts'
import { useEnvironment } from '../../../api/environment.ts'
import { Dialog } from '../../../components/dialog.tsx'
import { Failure } from '../../../components/failure.tsx'
import { Waiting } from '../../../components/waiting.tsx'
import { demographicsQuery } from '../person-queries.ts'
import {
  findMissing,
  needsGuarantor,
  newDraft,
  type PolicyDraft,
  RELATIONSHIPS,
  toInput,
} from './insurance-draft.ts'
import { PersonFields } from './insurance-person.tsx'
import { insuranceQuery } from './lab-queries.ts'
import { PayorField } from './payor-field.tsx'
import './insurance.css'

interface InsuranceDialogProps {
  userId: string
  /** Fields with which it begins; undefined takes the demographics of the person. */
  first?: PolicyDraft | undefined
  /** Whether it takes the place of an earlier policy. */
  isReplacement?: boolean
  isOpen: boolean
  onClose: () => void
}

/** Adds a policy: a new one, or a corrected copy of an earlier one. */
export function InsuranceDialog(props: InsuranceDialogProps): ReactNode {
  const { userId, first, isReplacement = false, isOpen, onClose } = props
  const demographics = useQuery({
    ...demographicsQuery(useEnvironment(), userId),
    enabled: isOpen,
  })
  const formId = useId()
  return (
    <Dialog
      title={isReplacement ? 'Replace insurance' : 'Add insurance'}
      isOpen={isOpen}
      onClose={onClose}
      className="insurance-dialog"
      actions={
        <>
          <Button variant="subtle" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" form={formId} disabled={demographics.data === undefined}>
            Save insurance
          </Button>
        </>
      }
    >
      {demographics.error !== null && <Failure error={demographics.error} />}
      {demographics.isPending && <Waiting label="Loading the demographics" />}
      {demographics.data !== undefined && (
        <InsuranceForm
          {...{ userId, formId, onClose, isReplacement }}
          first={first ?? newDraft(demographics.data)}
          lacksDemographics={demographics.data === null}
        />
      )}
    </Dialog>
  )
}

interface InsuranceFormProps {
  userId: string
  formId: string
  first: PolicyDraft
  lacksDemographics: boolean
  isReplacement: boolean
  onClose: () => void
}

function InsuranceForm(props: InsuranceFormProps): ReactNode {
  const { userId, formId, first, lacksDemographics, onClose } = props
  const [draft, setDraft] = useState(first)
  const [isTried, setTried] = useState(false)
  const adding = useAddPolicy(userId, lacksDemographics)
  const missing = findMissing(draft)
  const errors = { ...errorsOf(adding.error), ...(isTried && missing) }
  const change = (changes: Partial<PolicyDraft>): void =>
    setDraft((old) => ({ ...old, ...changes }))
  return (
    <form
      id={formId}
      className="insurance-form"
      noValidate
      autoComplete="off"
      onSubmit={(event) => {
        event.preventDefault()
        setTried(true)
        if (Object.keys(missing).length === 0 && !adding.isPending) {
          adding.mutate(draft, { onSuccess: onClose })
        }
      }}
    >
      {props.isReplacement && (
        <p className="quiet">
          A stored policy never changes, because orders refer to it. This adds another one, which is
          billed from now on if it is primary.
        </p>
      )}
      {lacksDemographics && (
        <p className="quiet">
          The person has no demographics yet, which insurance needs.{' '}
          {draft.relationship === 'Self'
            ? 'What you enter about the insured person is stored as theirs, too.'
            : 'Store them with an order or by the API first.'}
        </p>
      )}
      <PolicyFields {...{ draft, errors, change }} />
      <PersonFields
        of="insured"
        legend="Insured person"
        person={draft.insured}
        errors={errors}
        onChange={(insured) => change({ insured })}
      />
      <GuarantorFields {...{ draft, errors, change }} />
      {isTried && Object.keys(missing).length > 0 && (
        <p role="alert" className="insurance-missing">
          Fill in the fields that are marked.
        </p>
      )}
      {adding.error !== null && <Failure error={adding.error} />}
    </form>
  )
}

interface PartProps {
  draft: PolicyDraft
  /** Messages by path of the API. */
  errors: Readonly<Record<string, string>>
  change: (changes: Partial<PolicyDraft>) => void
}

const HOLDERS = {
  Self: 'The person holds the policy',
  Spouse: 'The spouse holds the policy',
  Other: 'Someone else holds the policy',
} as const

function PolicyFields({ draft, errors, change }: PartProps): ReactNode {
  return (
    <fieldset className="insurance-part">
      <legend>Policy</legend>
      <PayorField
        payor={draft.payor}
        error={errors.payor_code}
        onChange={(payor) => change({ payor })}
      />
      <div className="insurance-fields">
        <TextInput
          label="Member number"
          required
          maxLength={100}
          value={draft.member_id}
          error={errors.member_id}
          onChange={({ currentTarget }) => change({ member_id: currentTarget.value })}
        />
        <TextInput
          label="Group number"
          maxLength={100}
          value={draft.group_id}
          error={errors.group_id}
          onChange={({ currentTarget }) => change({ group_id: currentTarget.value })}
        />
        <NativeSelect
          label="Relationship"
          value={draft.relationship}
          error={errors.relationship}
          data={RELATIONSHIPS.map((value) => ({ value, label: HOLDERS[value] }))}
          onChange={({ currentTarget }) =>
            change({ relationship: currentTarget.value as PolicyDraft['relationship'] })
          }
        />
      </div>
      <Checkbox
        label="Primary: orders are billed to it"
        checked={draft.is_primary}
        onChange={({ currentTarget }) => change({ is_primary: currentTarget.checked })}
      />
    </fieldset>
  )
}

function GuarantorFields({ draft, errors, change }: PartProps): ReactNode {
  const isNeeded = needsGuarantor(draft)
  return (
    <>
      {!isNeeded && (
        <Checkbox
          label="With a guarantor"
          description="Someone else who answers for the payment. Some laboratories ignore them."
          checked={draft.hasGuarantor}
          onChange={({ currentTarget }) => change({ hasGuarantor: currentTarget.checked })}
        />
      )}
      {(isNeeded || draft.hasGuarantor) && (
        <PersonFields
          of="guarantor"
          legend={isNeeded ? 'Policy holder' : 'Guarantor'}
          person={draft.guarantor}
          errors={errors}
          onChange={(guarantor) => change({ guarantor })}
        />
      )}
    </>
  )
}

/** The errors that are about a field, but name none. */
const FIELD_OF_ERROR: Record<string, string> = { payor_not_found: 'payor_code' }

function errorsOf(error: unknown): Record<string, string> {
  const field = error instanceof ApiError ? FIELD_OF_ERROR[error.errorType] : undefined
  if (field !== undefined) return { [field]: (error as ApiError).message }
  return invalidFieldsOf(error)
}

/** Stores a policy; demographics first, where the person has none and holds the policy. */
function useAddPolicy(userId: string, lacksDemographics: boolean) {
  const environment = useEnvironment()
  const queries = useQueryClient()
  const { team, key } = environment
  return useMutation({
    mutationFn: async (draft: PolicyDraft) => {
      const params = { path: { user_id: userId } }
      const input = toInput(draft)
      if (lacksDemographics && draft.relationship === 'Self') {
        const { zip_code: zip, ...address } = input.insured.address
        const body = { ...input.insured, address: { ...address, zip } }
        await unwrapResponse(team.PATCH('/v2/user/{user_id}/info', { params, body: body as never }))
      }
      return unwrapResponse(team.POST('/v2/user/{user_id}/insurance', { params, body: input }))
    },
    onSuccess: () =>
      Promise.all([
        queries.invalidateQueries({ queryKey: insuranceQuery(environment, userId).queryKey }),
        queries.invalidateQueries({ queryKey: [...key, 'insurance', userId] }),
        queries.invalidateQueries({ queryKey: [...key, 'order_validation'] }),
        ...(lacksDemographics
          ? [queries.invalidateQueries({ queryKey: [...key, 'person', userId] })]
          : []),
      ]),
  })
}
