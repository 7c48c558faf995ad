import { Button } from '@mantine/core'
import { useSuspenseQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useEnvironment } from '../api/environment.ts'
import { Failure } from '../components/failure.tsx'
import { providersQuery } from '../people/person/person-queries.ts'
import { OrderList } from './order-list.tsx'
import { PriorityEffect } from './priority-effect.tsx'
import { type Entry, isSameOrder } from './priority-order.ts'
import type { PreviewInput } from './priority-queries.ts'

interface OrderEditorProps {
  label: string
  /** The stored order. */
  saved: readonly Entry[]
  /** The order on the page. */
  entries: readonly Entry[]
  onChange: (entries: Entry[]) => void
  /** Whether there is anything to save; by default, whether the two orders differ. */
  isChanged?: boolean
  canRemove: boolean
  /** Whether the role may not change it. */
  isReadOnly: boolean
  /** Fields that add an entry, or restore another order. */
  actions?: ReactNode
  /** Fields that choose the day. */
  day: ReactNode
  effect: { userId: string; body: PreviewInput | undefined }
  saving: { save: () => void; isPending: boolean; error: unknown }
  /** Restores what the last save replaced. */
  undo: (() => void) | undefined
}

/** An order of sources with its effect on a day, before it is saved. */
export function OrderEditor(props: OrderEditorProps): ReactNode {
  const { label, saved, entries, onChange, canRemove, isReadOnly, effect, saving, undo } = props
  const { data: providers } = useSuspenseQuery(providersQuery(useEnvironment()))
  const isChanged = props.isChanged ?? !isSameOrder(saved, entries)
  return (
    <div className="order-editor">
      <div className="order-side">
        <h3>Order</h3>
        <OrderList
          label={label}
          entries={entries}
          nameOf={(slug) => providers.get(slug)?.name ?? slug}
          onChange={onChange}
          canRemove={canRemove}
          isReadOnly={isReadOnly}
        />
        {props.actions}
        {!isReadOnly && (
          <div className="order-actions">
            <Button loading={saving.isPending} disabled={!isChanged} onClick={saving.save}>
              Save order
            </Button>
            <Button variant="subtle" disabled={!isChanged} onClick={() => onChange([...saved])}>
              Discard changes
            </Button>
            {undo !== undefined && !isChanged && (
              <Button variant="outline" onClick={undo}>
                Undo the last save
              </Button>
            )}
          </div>
        )}
        {saving.error !== null && <Failure error={saving.error} />}
      </div>
      <div className="order-side">
        <h3>Effect on a day</h3>
        {props.day}
        <PriorityEffect {...effect} />
      </div>
    </div>
  )
}
