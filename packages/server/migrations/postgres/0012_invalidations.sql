-- What continuous queries have to evaluate again is called what it is: an invalidation.
alter table continuous_query_marks rename to continuous_query_invalidations;
alter table continuous_query_invalidations rename column marked_at to invalidated_at;
alter index continuous_query_marks_pkey rename to continuous_query_invalidations_pkey;
alter index continuous_query_marks_due rename to continuous_query_invalidations_due;
alter index continuous_query_marks_by_query rename to continuous_query_invalidations_by_query;
