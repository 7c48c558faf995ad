import { Button, NativeSelect, TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import { IconSearch, IconX } from '../../components/icons.tsx'
import { INTERPRETATION_CHOICES } from '../../components/interpretations.ts'
import {
  FILTER_GROUPS,
  listOrderStatuses,
  ORDER_STATUSES,
} from '../../components/order-statuses.registry.ts'
import { describeMethod } from '../../components/order-words.ts'
import { ChoiceFilter } from './choice-filter.tsx'
import { countFilters, listOf, type OrdersView, toFilters } from './order-filters.ts'

/** Search words about people: they are kept in memory, and never in the address. */
export interface NameSearch {
  search_input: string
  patient_name: string
  shipping_recipient_name: string
}

export const NO_SEARCH: NameSearch = {
  search_input: '',
  patient_name: '',
  shipping_recipient_name: '',
}

interface FilterBarProps {
  view: OrdersView
  onChange: (changes: Partial<OrdersView>) => void
  search: NameSearch
  onSearch: (search: NameSearch) => void
  onClear: () => void
}

const STATUS_GROUPS = Object.entries(FILTER_GROUPS).map(([group, title]) => ({
  title,
  choices: listOrderStatuses(({ filter }) => filter === group).map((value) => ({
    value,
    label: ORDER_STATUSES[value].label,
  })),
}))

const METHOD_GROUPS = [
  {
    choices: ['walk_in_test', 'at_home_phlebotomy', 'on_site_collection', 'testkit'].map(
      (value) => ({ value, label: describeMethod(value) }),
    ),
  },
]

const ACTIVATION_GROUPS = [
  {
    choices: [
      { value: 'current', label: 'Sent or due' },
      { value: 'scheduled', label: 'Scheduled' },
    ],
  },
]

const RESULTS = [{ value: '', label: 'Any result' }, ...INTERPRETATION_CHOICES]

const PERIODS = [
  { value: '', label: 'Ordered at any time' },
  { value: '1', label: 'Ordered today' },
  { value: '7', label: 'Ordered in 7 days' },
  { value: '30', label: 'Ordered in 30 days' },
  { value: '90', label: 'Ordered in 90 days' },
]

const SORTS = [
  { value: '', label: 'Newest first' },
  { value: 'created_at.asc', label: 'Oldest first' },
  { value: 'patient_name.asc', label: 'By patient' },
  { value: 'last_status.asc', label: 'By status' },
]

/** The filters of the list of orders. */
export function OrderFilterBar(props: FilterBarProps): ReactNode {
  const { view, onChange, search, onSearch, onClear } = props
  const joined = (name: keyof OrdersView) => (chosen: string[]) =>
    onChange({ [name]: chosen.join(',') || undefined })
  const isNarrowed =
    countFilters(toFilters(view)) > 0 || Object.values(search).some((text) => text !== '')
  return (
    <search className="orders-filters" aria-label="Order filters">
      <TextInput
        className="orders-search"
        aria-label="Search orders"
        placeholder="Patient, birth date (YYYY-MM-DD), recipient, order or user id"
        leftSection={<IconSearch size={16} aria-hidden />}
        value={search.search_input}
        onChange={({ currentTarget }) => onSearch({ ...search, search_input: currentTarget.value })}
      />
      <div className="orders-filter-row">
        <ChoiceFilter
          title="Status"
          groups={STATUS_GROUPS}
          chosen={listOf(view.status)}
          onChange={joined('status')}
        />
        <ChoiceFilter
          title="Collection"
          groups={METHOD_GROUPS}
          chosen={listOf(view.order_type)}
          onChange={joined('order_type')}
        />
        <NativeSelect
          size="sm"
          aria-label="Result"
          data={RESULTS}
          value={view.interpretation ?? ''}
          onChange={({ currentTarget }) =>
            onChange({ interpretation: currentTarget.value || undefined })
          }
        />
        <NativeSelect
          size="sm"
          aria-label="Time of the order"
          data={PERIODS}
          value={view.created_within_days ?? ''}
          onChange={({ currentTarget }) =>
            onChange({ created_within_days: currentTarget.value || undefined })
          }
        />
        <NativeSelect
          size="sm"
          aria-label="Sort"
          data={SORTS}
          value={view.order_key ? `${view.order_key}.${view.order_direction ?? 'desc'}` : ''}
          onChange={({ currentTarget }) => {
            const [key, direction] = currentTarget.value.split('.')
            onChange({ order_key: key || undefined, order_direction: direction })
          }}
        />
        {isNarrowed && (
          <Button
            variant="subtle"
            size="compact-sm"
            leftSection={<IconX size={14} aria-hidden />}
            onClick={onClear}
          >
            Clear filters
          </Button>
        )}
      </div>
      <MoreFilters {...props} />
    </search>
  )
}

/** Rarely used filters, behind a heading that opens when one of them is set. */
function MoreFilters({ view, onChange, search, onSearch }: FilterBarProps): ReactNode {
  const text = (name: keyof OrdersView, label: string, type: string, placeholder?: string) => (
    <TextInput
      size="sm"
      label={label}
      type={type}
      placeholder={placeholder}
      value={view[name] ?? ''}
      onChange={({ currentTarget }) =>
        onChange({ [name]: currentTarget.value.trim() || undefined })
      }
    />
  )
  const name = (field: keyof NameSearch, label: string) => (
    <TextInput
      size="sm"
      label={label}
      value={search[field]}
      onChange={({ currentTarget }) => onSearch({ ...search, [field]: currentTarget.value })}
    />
  )
  const hidden = [view.start_date, view.end_date, view.updated_start_date, view.updated_end_date]
  const others = [view.is_critical, view.order_activation_types, view.user_id]
  const isSet = [...hidden, ...others, view.order_transaction_id].some(Boolean)
  return (
    <details className="orders-more" open={isSet || undefined}>
      <summary>More filters</summary>
      <div className="orders-more-grid">
        {name('patient_name', 'Name of the patient')}
        {name('shipping_recipient_name', 'Recipient of the kit')}
        {text('start_date', 'Ordered from (UTC)', 'date')}
        {text('end_date', 'Ordered until (UTC)', 'date')}
        {text('updated_start_date', 'Changed from (UTC)', 'date')}
        {text('updated_end_date', 'Changed before (UTC)', 'date')}
        {text('user_id', 'Id of the person', 'text', 'UUID')}
        {text('order_transaction_id', 'Id of the order transaction', 'text', 'UUID')}
        <ChoiceFilter
          title="Activation"
          groups={ACTIVATION_GROUPS}
          chosen={listOf(view.order_activation_types)}
          onChange={(chosen) => onChange({ order_activation_types: chosen.join(',') || undefined })}
        />
        <NativeSelect
          size="sm"
          label="Critical result"
          data={[
            { value: '', label: 'Either' },
            { value: 'true', label: 'Only critical' },
            { value: 'false', label: 'Not critical' },
          ]}
          value={view.is_critical ?? ''}
          onChange={({ currentTarget }) =>
            onChange({ is_critical: currentTarget.value || undefined })
          }
        />
      </div>
    </details>
  )
}
