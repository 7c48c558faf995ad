/** Reasons why an item could not be stored (docs/contract/07-mobile-sync.md#quarantine). */
export const REASONS: Readonly<Record<string, string>> = {
  not_an_object: 'It is not an object.',
  invalid_value: 'The value is missing or not a number.',
  unknown_unit: 'The unit does not exist for this kind of data.',
  invalid_start_date: 'The start is missing or not a time.',
  invalid_end_date: 'The end is not a time.',
  end_before_start: 'The end is before the start.',
  out_of_range: 'The value is out of range.',
  missing_type: 'Its type is missing.',
  unknown_type: 'Its type is unknown.',
  unknown_source_type: 'Its source type is unknown.',
  unpaired: 'Its other half is missing, as in a blood pressure.',
  invalid_date: 'The date is missing or does not exist.',
  too_large: 'It is too large.',
  invalid_field: 'A field has an invalid value.',
}
