import { NativeSelect, TextInput } from '@mantine/core'
import type { HTMLInputAutoCompleteAttribute, ReactNode } from 'react'
import { type AddressField, hasText, type PatientField, type ProxyField } from './order-draft.ts'
import { errorOf, FormPart, type PartProps } from './part.tsx'
import { STATES } from './us-states.ts'

const GENDERS = ['', 'female', 'male', 'other', 'unknown']

/** Demographics and address of the patient, by the rules of laboratories. */
export function PatientPart(props: PartProps): ReactNode {
  const { problems, isTried } = props
  return (
    <FormPart
      id="patient"
      description="Exactly as in their identity papers: the laboratory compares it with the sample."
      problems={problems}
      isTried={isTried}
      shown={['patient_details', 'patient_address']}
    >
      <div className="field-grid">
        <PatientText {...props} field="first_name" label="First name" />
        <PatientText {...props} field="last_name" label="Last name" />
        <PatientText {...props} field="dob" label="Date of birth" type="date" />
        <GenderChoice {...props} />
        <PatientText {...props} field="phone_number" label="Phone number" type="tel" />
        <PatientText {...props} field="email" label="E-mail" type="email" />
      </div>
      <h3 className="fact-title">Address</h3>
      <div className="field-grid">
        <AddressText {...props} field="first_line" label="Street and number" />
        <AddressText {...props} field="second_line" label="Apartment (optional)" />
        <AddressText {...props} field="city" label="City" />
        <StateChoice {...props} />
        <AddressText {...props} field="zip" label="ZIP code" />
        <AddressText {...props} field="access_notes" label="Access notes (optional)" />
      </div>
      <ProxyFields {...props} />
    </FormPart>
  )
}

interface TextProps<Field> extends PartProps {
  field: Field
  label: string
  type?: string
}

/** The browser must not remember the data of a patient. */
const autoComplete: HTMLInputAutoCompleteAttribute = 'off'

function PatientText({ field, label, type = 'text', ...props }: TextProps<PatientField>) {
  const { draft, change } = props
  return (
    <TextInput
      label={label}
      type={type}
      autoComplete={autoComplete}
      maxLength={254}
      value={draft.patient[field]}
      error={errorOf(props, `patient_details.${field}`)}
      onChange={({ currentTarget }) =>
        change({ patient: { ...draft.patient, [field]: currentTarget.value } })
      }
    />
  )
}

function AddressText({ field, label, ...props }: TextProps<AddressField>) {
  const { draft, change } = props
  return (
    <TextInput
      label={label}
      autoComplete={autoComplete}
      maxLength={field === 'access_notes' ? 1000 : 200}
      value={draft.address[field]}
      error={errorOf(props, `patient_address.${field}`)}
      onChange={({ currentTarget }) =>
        change({ address: { ...draft.address, [field]: currentTarget.value } })
      }
    />
  )
}

function GenderChoice(props: PartProps): ReactNode {
  const { draft, change } = props
  return (
    <NativeSelect
      label="Gender"
      value={draft.patient.gender}
      error={errorOf(props, 'patient_details.gender')}
      onChange={({ currentTarget }) =>
        change({ patient: { ...draft.patient, gender: currentTarget.value } })
      }
      data={GENDERS.map((value) => ({ value, label: value === '' ? 'Choose' : value }))}
    />
  )
}

function StateChoice(props: PartProps): ReactNode {
  const { draft, change } = props
  return (
    <NativeSelect
      label="State"
      value={draft.address.state}
      error={errorOf(props, 'patient_address.state') ?? errorOf(props, 'patient_address')}
      onChange={({ currentTarget }) =>
        change({ address: { ...draft.address, state: currentTarget.value } })
      }
      data={[{ value: '', label: 'Choose' }, ...STATES]}
    />
  )
}

const PROXY: readonly [ProxyField, string][] = [
  ['first_name', 'First name'],
  ['last_name', 'Last name'],
  ['phone_number', 'Phone number'],
  ['first_line', 'Street and number'],
  ['city', 'City'],
  ['state', 'State (two letters)'],
  ['zip_code', 'ZIP code'],
]
const OF_PERSON = new Set<ProxyField>(['first_name', 'last_name', 'phone_number'])

/** The person who answers for a patient under 18; hidden for others. */
function ProxyFields(props: PartProps): ReactNode {
  const { draft, change, problems } = props
  const ofMinor = problems.filter(({ field }) => field === 'patient_details.dob')
  const isNeeded = ofMinor.some(({ error_type: type }) => type === 'medical_proxy_required')
  const isRefused = ofMinor.some(({ error_type: type }) => type === 'minor_not_allowed')
  if (isRefused) {
    return (
      <p className="part-warning">
        The patient is under 18, and your team does not order for minors. An administrator of the
        team can allow it in its settings.
      </p>
    )
  }
  if (!isNeeded && !hasText(draft.proxy)) return null
  return (
    <>
      <h3 className="fact-title">Guardian of the patient</h3>
      <p className="quiet">The patient is under 18, so an adult must be named.</p>
      <div className="field-grid">
        {PROXY.map(([field, label]) => (
          <TextInput
            key={field}
            label={label}
            autoComplete={autoComplete}
            value={draft.proxy[field]}
            error={errorOf(
              props,
              `patient_details.medical_proxy.${OF_PERSON.has(field) ? '' : 'address.'}${field}`,
            )}
            onChange={({ currentTarget }) =>
              change({ proxy: { ...draft.proxy, [field]: currentTarget.value } })
            }
          />
        ))}
      </div>
    </>
  )
}
