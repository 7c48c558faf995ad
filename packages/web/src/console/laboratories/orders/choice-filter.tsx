import { type ReactNode, useRef } from 'react'
import { IconChevronDown } from '../../components/icons.tsx'

interface ChoiceFilterProps {
  title: string
  /** Groups of choices, each with its title; one without a title stands alone. */
  groups: readonly { title?: string; choices: readonly { value: string; label: string }[] }[]
  chosen: readonly string[]
  onChange: (chosen: string[]) => void
}

/** A button that opens a list of choices, of which any number can be chosen. */
export function ChoiceFilter({ title, groups, chosen, onChange }: ChoiceFilterProps): ReactNode {
  const details = useRef<HTMLDetailsElement>(null)
  const close = () => details.current?.removeAttribute('open')
  const toggle = (value: string, isChosen: boolean) =>
    onChange(isChosen ? [...chosen, value] : chosen.filter((other) => other !== value))
  const labels = groups.flatMap(({ choices }) => choices)
  const first = labels.find(({ value }) => value === chosen[0])?.label
  return (
    <details
      ref={details}
      className="choice-filter"
      onKeyDown={({ key }) => {
        if (key !== 'Escape') return
        close()
        details.current?.querySelector('summary')?.focus()
      }}
      onBlur={({ relatedTarget, currentTarget }) => {
        if (relatedTarget && !currentTarget.contains(relatedTarget)) close()
      }}
    >
      <summary data-active={chosen.length > 0 || undefined}>
        {title}
        {chosen.length > 0 && `: ${chosen.length === 1 ? first : chosen.length}`}
        <IconChevronDown size={14} aria-hidden />
      </summary>
      <div className="choice-filter-panel">
        {groups.map((group, index) => (
          <fieldset key={group.title ?? index}>
            <legend className={group.title ? undefined : 'visually-hidden'}>
              {group.title ?? title}
            </legend>
            {group.choices.map(({ value, label }) => (
              <label key={value} className="check">
                <input
                  type="checkbox"
                  checked={chosen.includes(value)}
                  onChange={({ currentTarget }) => toggle(value, currentTarget.checked)}
                />
                {label}
              </label>
            ))}
          </fieldset>
        ))}
      </div>
    </details>
  )
}
