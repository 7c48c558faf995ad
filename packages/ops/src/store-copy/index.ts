export {
  type ClickHouseTable,
  cloneClickHouseTable,
  dropClones,
  dumpClickHouseClone,
  isUnusedClickHouse,
  listClickHouseTables,
  loadClickHouseTable,
  requireAllServers,
} from './clickhouse-copy.ts'
export { moveClickHouse, requireCurrentClickHouse } from './move-clickhouse.ts'
export { isUnusedFiles, moveFiles } from './move-files.ts'
export { isUnusedPostgres, movePostgres, requireCurrentPostgres } from './move-postgres.ts'
export {
  MOVED_STORES,
  type MovedStore,
  MoveRecord,
  type ReportMove,
  refuseMovedData,
} from './move-record.ts'
export {
  advanceSequences,
  dumpPostgresTable,
  emptyPostgresTables,
  listPostgresTables,
  loadPostgresTable,
  nameOf,
} from './postgres-copy.ts'
