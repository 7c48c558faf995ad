import { NativeSelect, TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import { STATES } from '../../../laboratories/new-order/us-states.ts'
import { type DraftPerson, GENDERS, pathOf } from './insurance-draft.ts'

interface PersonFieldsProps {
  of: 'insured' | 'guarantor'
  legend: string
  person: DraftPerson
  /** Messages by path of the API. */
  errors: Readonly<Record<string, string>>
  onChange: (person: DraftPerson) => void
}

interface Field {
  name: keyof DraftPerson
  label: string
  type?: string
  maxLength?: number
  isOptional?: boolean
}

const NAMES: readonly Field[] = [
  { name: 'first_name', label: 'First name', maxLength: 100 },
  { name: 'last_name', label: 'Last name', maxLength: 100 },
]
const CONTACT: readonly Field[] = [
  { name: 'phone_number', label: 'Phone number', type: 'tel', maxLength: 50 },
  { name: 'email', label: 'E-mail', type: 'email', maxLength: 254 },
]
const STREET: readonly Field[] = [
  { name: 'first_line', label: 'Street and number', maxLength: 500 },
  { name: 'second_line', label: 'Apartment', maxLength: 500, isOptional: true },
  { name: 'city', label: 'City', maxLength: 500 },
]
const HOUSEHOLD: readonly Field[] = [
  {
    name: 'household_income',
    label: 'Yearly income (US dollars)',
    type: 'number',
    isOptional: true,
  },
  { name: 'household_size', label: 'People in the household', type: 'number', isOptional: true },
]

/** Fields of the insured person, or of who holds the policy. */
export function PersonFields(props: PersonFieldsProps): ReactNode {
  const { of, legend } = props
  const isGuarantor = of === 'guarantor'
  return (
    <fieldset className="insurance-part">
      <legend>{legend}</legend>
      <div className="insurance-fields">
        <Texts {...props} fields={NAMES} />
        {!isGuarantor && (
          <>
            <Texts {...props} fields={[{ name: 'dob', label: 'Date of birth', type: 'date' }]} />
            <Choice {...props} name="gender" label="Gender" data={GENDERS} />
          </>
        )}
        <Texts
          {...props}
          fields={CONTACT.map((field) => ({
            ...field,
            isOptional: isGuarantor && field.name === 'email',
          }))}
        />
        <Texts {...props} fields={STREET} />
        <Choice {...props} name="state" label="State" data={STATES} />
        <Texts {...props} fields={[{ name: 'zip_code', label: 'ZIP code', maxLength: 10 }]} />
        {isGuarantor && <Texts {...props} fields={HOUSEHOLD} />}
      </div>
    </fieldset>
  )
}

function Texts({
  of,
  person,
  errors,
  onChange,
  fields,
}: PersonFieldsProps & { fields: readonly Field[] }): ReactNode {
  return fields.map(({ name, label, isOptional = false, ...input }) => (
    <TextInput
      key={name}
      {...input}
      label={label}
      required={!isOptional}
      autoComplete="off"
      value={person[name]}
      error={errors[pathOf(of, name)]}
      onChange={({ currentTarget }) => onChange({ ...person, [name]: currentTarget.value })}
    />
  ))
}

interface ChoiceProps extends PersonFieldsProps {
  name: 'gender' | 'state'
  label: string
  data: readonly (string | { value: string; label: string })[]
}

function Choice({ of, person, errors, onChange, name, label, data }: ChoiceProps): ReactNode {
  const value = person[name]
  const isKnown = data.some((one) => (typeof one === 'string' ? one : one.value) === value)
  return (
    <NativeSelect
      label={label}
      required
      value={value}
      error={errors[pathOf(of, name)]}
      data={[{ value: '', label: 'Choose' }, ...data, ...(isKnown || value === '' ? [] : [value])]}
      onChange={({ currentTarget }) => onChange({ ...person, [name]: currentTarget.value })}
    />
  )
}
