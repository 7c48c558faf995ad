import type { ReactNode } from 'react'
import { Failure } from '../../components/failure.tsx'
import { IconAlertCircle } from '../../components/icons.tsx'
import { Section } from '../../components/page.tsx'
import type { ChangeDraft, OrderDemands, OrderDraft, OrderProblem } from './order-draft.ts'
import { isOpen, PARTS, type PartId, problemsOf } from './validation.ts'

export interface PartProps {
  draft: OrderDraft
  change: ChangeDraft
  problems: readonly OrderProblem[]
  demands: OrderDemands | null
  /** Whether the user tried to place the order: incomplete parts then count as errors. */
  isTried: boolean
}

interface FormPartProps {
  id: PartId
  description?: ReactNode
  problems: readonly OrderProblem[]
  isTried: boolean
  /** Fields that show their error themselves. */
  shown?: readonly string[]
  children: ReactNode
}

/** A part of the form, with the errors that no field of it shows. */
export function FormPart({
  id,
  description,
  problems,
  isTried,
  shown = [],
  children,
}: FormPartProps): ReactNode {
  const title = PARTS.find((part) => part.id === id)?.title ?? ''
  const unshown = problemsOf(id, problems)
    .filter((problem) => isTried || !isOpen(problem))
    .filter(({ field }) => !shown.some((name) => field === name || field.startsWith(`${name}.`)))
  return (
    <Section id={id} title={title} description={description}>
      {unshown.length > 0 && (
        <ul className="part-problems">
          {unshown.map((problem) => (
            <li key={`${problem.field}/${problem.error_type}`}>
              <IconAlertCircle size={16} aria-hidden /> {describeProblem(problem)}
            </li>
          ))}
        </ul>
      )}
      {children}
    </Section>
  )
}

/**
 * The error at the end of a form: errors of fields are shown by the fields, and only mentioned
 * here.
 */
export function Refused({ error, problems }: Pick<PartProps, 'problems'> & { error: unknown }) {
  if (!error) return null
  if (problems.length === 0) return <Failure error={error} />
  return (
    <p role="alert" className="part-warning">
      Something is missing or wrong above:{' '}
      {problems.map(({ field }) => nameField(field)).join(', ')}.
    </p>
  )
}

const NAMES: Readonly<Record<string, string>> = {
  user_id: 'the person',
  dob: 'date of birth',
  email: 'e-mail',
  zip: 'ZIP code',
  first_line: 'street',
  sample_id: 'number of the kit',
  receiver_name: 'receiver',
}

/** Returns the label of a field of a request. */
export function nameField(field: string): string {
  const name = field.slice(field.lastIndexOf('.') + 1)
  return NAMES[name] ?? name.replaceAll('_', ' ')
}

/** Describes a problem, with the facts that the server sends beside its message. */
export function describeProblem({ message, detail }: OrderProblem): string {
  const { questions, missing } = detail as { questions?: string[]; missing?: string[] }
  const list = questions ?? missing
  return list === undefined ? message : `${message.replace(/\.$/, '')}: ${list.join(', ')}.`
}

/** Returns the error that a field shows: none before it is filled in or the order was tried. */
export function errorOf(
  { problems, isTried }: Pick<PartProps, 'problems' | 'isTried'>,
  field: string,
): string | undefined {
  const problem = problems.find((each) => each.field === field)
  if (problem === undefined || (isOpen(problem) && !isTried)) return undefined
  return isOpen(problem) ? 'This field is required.' : explain(problem)
}

const WORDS: Readonly<Record<string, string>> = {
  first_name:
    "Use letters, digits, single spaces and - . , ' without accents, up to 50 characters.",
  last_name: "Use letters, digits, single spaces and - . , ' without accents, up to 50 characters.",
  zip: 'Enter a ZIP code of five digits, or nine as in 85004-1234.',
  zip_code: 'Enter a ZIP code of five digits, or nine as in 85004-1234.',
}

function explain({ field, error_type: type, message }: OrderProblem): string {
  const name = field.slice(field.lastIndexOf('.') + 1)
  return type === 'string_pattern_mismatch' ? (WORDS[name] ?? message) : message
}
