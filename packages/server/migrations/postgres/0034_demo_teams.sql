-- demo_teams
select 1;
