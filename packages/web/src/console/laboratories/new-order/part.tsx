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
  /** The order was tried to be placed: what is open is a mistake by now. */
  isTried: boolean
}

interface FormPartProps {
  id: PartId
  description?: ReactNode
  problems: readonly OrderProblem[]
  isTried: boolean
  /** Fields that show their problem themselves. */
  shown?: readonly string[]
  children: ReactNode
}

/** A part of the form, with what is wrong in it that no field of it shows. */
export function FormPart({
  id,
  description,
  problems,
  isTried,
  shown = [],
  children,
}: FormPartProps): ReactNode {
  const title = PARTS.find((part) => part.id === id)?.title ?? ''
  const said = problemsOf(id, problems)
    .filter((problem) => isTried || !isOpen(problem))
    .filter(({ field }) => !shown.some((name) => field === name || field.startsWith(`${name}.`)))
  return (
    <Section id={id} title={title} description={description}>
      {said.length > 0 && (
        <ul className="part-problems">
          {said.map((problem) => (
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
 * A refusal at the end of a form: that of fields is shown by the fields, and only mentioned here.
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

/** A field of a request in words. */
export function nameField(field: string): string {
  const name = field.slice(field.lastIndexOf('.') + 1)
  return NAMES[name] ?? name.replaceAll('_', ' ')
}

/** What a problem says, with the facts that the server has beside its message. */
export function describeProblem({ message, detail }: OrderProblem): string {
  const { questions, missing } = detail as { questions?: string[]; missing?: string[] }
  const list = questions ?? missing
  return list === undefined ? message : `${message.replace(/\.$/, '')}: ${list.join(', ')}.`
}

/**
 * The problem of one field, as the field shows it: not before it is filled in, or the order tried.
 */
export function errorOf(
  { problems, isTried }: Pick<PartProps, 'problems' | 'isTried'>,
  field: string,
): string | undefined {
  const problem = problems.find((each) => each.field === field)
  if (problem === undefined || (isOpen(problem) && !isTried)) return undefined
  return isOpen(problem) ? 'This is needed.' : explain(problem)
}

const WORDS: Readonly<Record<string, string>> = {
  first_name: "Letters, digits, single blanks and - . , ' only, no accents, up to 50.",
  last_name: "Letters, digits, single blanks and - . , ' only, no accents, up to 50.",
  zip: 'A ZIP code has five digits, or nine as 85004-1234.',
  zip_code: 'A ZIP code has five digits, or nine as 85004-1234.',
}

function explain({ field, error_type: type, message }: OrderProblem): string {
  const name = field.slice(field.lastIndexOf('.') + 1)
  return type === 'string_pattern_mismatch' ? (WORDS[name] ?? message) : message
}
