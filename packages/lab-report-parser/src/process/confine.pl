# Gives rights away for good, then becomes another program:
#   perl confine.pl DESCRIPTOR READABLE... -- PROGRAM ARGUMENT...
# The program can read its own status, with its memory, from DESCRIPTOR. Perl can make the system calls that Node.js has
# no functions for, and is a part of Debian and most other systems. This needs no privilege, so it works in containers. It
# leaves out what a kernel does not have: attempts.ts finds out by trying what holds in the end.
use strict;
use warnings;
use Fcntl;
use POSIX ();

my $descriptor = shift @ARGV;
my @readable;
while (@ARGV) {
  my $argument = shift @ARGV;
  last if $argument eq '--';
  push @readable, $argument;
}
my $program = $ARGV[0] or die "no program\n";

# Numbers of system calls; those from 424 on are the same everywhere.
my ($audit_arch, %call);
my $machine = (POSIX::uname())[4];
if ($machine eq 'x86_64') {
  $audit_arch = 0xC000003E;
  %call = (
    prctl => 157, seccomp => 317, capset => 126, clone => 56, fork => 57, vfork => 58,
    kill => 62, tgkill => 234, prlimit64 => 302,
    refused => [
      41, 42, 43, 49, 50, 288,              # socket connect accept bind listen accept4
      101, 310, 311, 312,                   # ptrace process_vm_readv process_vm_writev kcmp
      129, 297, 200,                        # rt_sigqueueinfo rt_tgsigqueueinfo tkill
      141, 203, 144, 251, 256, 279,         # setpriority sched_setaffinity sched_setscheduler ioprio_set migrate, move_pages
      272, 308, 165, 166, 155, 161,         # unshare setns mount umount2 pivot_root chroot
      321, 298, 323, 248, 249, 250,         # bpf perf_event_open userfaultfd add_key request_key keyctl
      29, 30, 31, 64, 65, 66, 68, 69, 70, 71, 240, 241, # shm* sem* msg* mq_open mq_unlink
    ],
  );
} elsif ($machine eq 'aarch64') {
  $audit_arch = 0xC00000B7;
  %call = (
    prctl => 167, seccomp => 277, capset => 91, clone => 220,
    kill => 129, tgkill => 131, prlimit64 => 261,
    refused => [
      198, 203, 202, 200, 201, 242,
      117, 270, 271, 272,
      138, 240, 130,
      140, 122, 119, 30, 238, 239,
      97, 268, 40, 39, 41, 51,
      280, 241, 282, 217, 218, 219,
      194, 195, 196, 190, 191, 192, 193, 186, 187, 188, 189, 180, 181,
    ],
  );
}
# pidfd_send_signal, io_uring_setup, pidfd_open, pidfd_getfd, process_madvise, and the new calls of mounts
push @{ $call{refused} }, 424, 425, 434, 438, 440, 428 .. 433, 442 if %call;

open my $status, '<', '/proc/self/status' or die "no status: $!\n";
POSIX::dup2(fileno $status, $descriptor);
no_new_privileges();
restrict_files();
restrict_calls();
exec { $program } @ARGV or die "cannot start: $!\n";

# Root loses its capabilities, and no program that is started gets any back.
sub no_new_privileges {
  return unless %call;
  syscall($call{prctl}, 38, 1, 0, 0, 0); # PR_SET_NO_NEW_PRIVS
  my $header = pack('L l', 0x20080522, 0);
  my $none = pack('L6', (0) x 6);
  syscall($call{capset}, $header, $none);
}

# Landlock: files but the readable ones, TCP, signals and abstract sockets to others.
sub restrict_files {
  my ($execute, $read_file, $read_dir) = (1, 4, 8);
  my $abi = syscall(444, 0, 0, 1);
  return if $abi < 1;
  my $files = 0x1FFF;                                    # all of the first version
  $files |= 0x2000 if $abi >= 2;                         # refer
  $files |= 0x4000 if $abi >= 3;                         # truncate
  $files |= 0x8000 if $abi >= 5;                         # ioctl of devices
  my @attributes = ($files);
  push @attributes, 3 if $abi >= 4;                      # bind and connect TCP
  push @attributes, 3 if $abi >= 6;                      # abstract sockets and signals
  my $attributes = pack('Q*', @attributes);
  my $ruleset = syscall(444, $attributes, length $attributes, 0);
  return if $ruleset < 0;
  for my $path (@readable, $program) {
    my $rights = $path eq $program || $path =~ m{^/((usr/)?lib|nix/store)} ? $execute | $read_file : $read_file;
    $rights |= $read_dir if -d $path;
    sysopen(my $file, $path, 0x200000) or next;          # O_PATH
    my $rule = pack('Q l', $rights, fileno $file);
    syscall(445, $ruleset, 1, $rule, 0);
    close $file;
  }
  syscall(446, $ruleset, 0);
}

# A filter of system calls: no sockets, no new processes, no hold of others, and none of the calls that reading does not
# need and that attacks on kernels begin with.
sub restrict_calls {
  return unless %call;
  my ($load, $equal, $at_least, $any_bit, $return) = (0x20, 0x15, 0x35, 0x45, 0x06);
  my ($allow, $kill, $eperm, $enosys) = (0x7FFF0000, 0x80000000, 0x00050001, 0x00050026);
  my @filter;
  my $add = sub { push @filter, pack('S C C L', @_) };
  # The first argument: its lower half, of which pids and flags are made.
  my $argument = 16;
  $add->($load, 0, 0, 4);
  $add->($equal, 1, 0, $audit_arch);
  $add->($return, 0, 0, $kill);
  $add->($load, 0, 0, 0);
  # The third way of calling an x86-64 kernel has numbers of its own.
  if ($machine eq 'x86_64') {
    $add->($at_least, 0, 1, 0x40000000);
    $add->($return, 0, 0, $eperm);
  }
  for my $number (@{ $call{refused} }, grep { defined } @call{qw(fork vfork)}) {
    $add->($equal, 0, 1, $number);
    $add->($return, 0, 0, $eperm);
  }
  # A filter cannot read the flags of clone3. The C library then takes clone.
  $add->($equal, 0, 1, 435);
  $add->($return, 0, 0, $enosys);
  # Threads, but no processes and no namespaces.
  $add->($equal, 0, 4, $call{clone});
  $add->($load, 0, 0, $argument);
  $add->($any_bit, 0, 1, 0x00010000);
  $add->($return, 0, 0, $allow);
  $add->($return, 0, 0, $eperm);
  # Signals for itself alone; this program keeps its pid when it becomes the other.
  $add->($equal, 1, 0, $call{kill});
  $add->($equal, 0, 4, $call{tgkill});
  $add->($load, 0, 0, $argument);
  $add->($equal, 0, 1, $$);
  $add->($return, 0, 0, $allow);
  $add->($return, 0, 0, $eperm);
  # Its own limits, which the C library asks for by the pid 0.
  $add->($equal, 0, 4, $call{prlimit64});
  $add->($load, 0, 0, $argument);
  $add->($equal, 0, 1, 0);
  $add->($return, 0, 0, $allow);
  $add->($return, 0, 0, $eperm);
  $add->($return, 0, 0, $allow);
  my $code = join '', @filter;
  my $program_of_filter = pack('S x![P] P', scalar @filter, $code);
  syscall($call{seccomp}, 1, 0, $program_of_filter);
}
