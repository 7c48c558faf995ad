import type { ReactNode } from 'react'
import { IconAlertCircle, IconCheck, IconCircleDashed } from '../../components/icons.tsx'
import type { OrderProblem } from './order-draft.ts'
import { describeProblem, nameField } from './part.tsx'
import { isOpen, PARTS, type PartId, problemsOf } from './validation.ts'

interface ChecklistProps {
  problems: readonly OrderProblem[]
  /** Whether the demands of the laboratory are known: they are once tests are chosen. */
  isKnown: boolean
  isChecking: boolean
}

/** Lists what is missing in each part of the form, by the validation of the server. */
export function Checklist({ problems, isKnown, isChecking }: ChecklistProps): ReactNode {
  return (
    <ol className="checklist" aria-label="What is missing" aria-busy={isChecking}>
      {PARTS.map(({ id, title }) => (
        <ChecklistItem
          key={id}
          id={id}
          title={title}
          problems={problemsOf(id, problems)}
          isKnown={isKnown || !BY_LABORATORY.has(id)}
        />
      ))}
    </ol>
  )
}

/** Parts whose rules depend on the laboratory. */
const BY_LABORATORY = new Set<PartId>([
  'collection',
  'questions',
  'consents',
  'payment',
  'physician',
])

interface ItemProps {
  id: PartId
  isKnown: boolean
  title: string
  problems: readonly OrderProblem[]
}

function ChecklistItem({ id, title, problems, isKnown }: ItemProps): ReactNode {
  const wrong = problems.filter((problem) => !isOpen(problem))
  const state = wrong.length > 0 ? 'wrong' : problems.length > 0 || !isKnown ? 'open' : 'done'
  const Icon = { done: IconCheck, wrong: IconAlertCircle, open: IconCircleDashed }[state]
  return (
    <li data-state={state}>
      <Icon size={17} aria-hidden />
      <div>
        <a
          href={`#${id}`}
          onClick={(event) => {
            event.preventDefault()
            showPart(id)
          }}
        >
          {title}
        </a>
        <span className="visually-hidden">: {STATE_WORDS[state]}</span>
        {problems.length > 0 && <span className="checklist-text">{describe(problems)}</span>}
      </div>
    </li>
  )
}

const STATE_WORDS = { done: 'ready', wrong: 'has errors', open: 'incomplete' }

function describe(problems: readonly OrderProblem[]): string {
  const [wrong] = problems.filter((problem) => !isOpen(problem))
  if (wrong) return describeProblem(wrong)
  const missing = problems.filter(({ error_type: type }) => type === 'missing')
  const [other] = problems.filter(({ error_type: type }) => type !== 'missing')
  if (other) return describeProblem(other)
  const names = missing.map(({ field }) => nameField(field))
  return `Missing: ${names.join(', ')}`
}

/** Scrolls to a part of the form, and focuses its first field. */
export function showPart(id: PartId): void {
  const part = document.getElementById(id)
  part?.scrollIntoView({ block: 'start' })
  part?.querySelector<HTMLElement>('input, select, textarea')?.focus({ preventScroll: true })
}
