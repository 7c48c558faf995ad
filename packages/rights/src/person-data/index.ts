export {
  countPersonRows,
  deletePersonRows,
  findStoredPersonTable,
  listPersonColumns,
  type PersonColumn,
  type PersonRow,
  type PersonRowsScope,
  streamPersonRows,
} from './person-rows.repository.ts'
export { type Belonging, PERSON_TABLES, type PersonTable } from './person-tables.registry.ts'
