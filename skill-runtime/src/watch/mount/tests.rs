//! What is said of directories below mount points.

use std::path::Path;

use super::Mounts;

#[test]
fn the_mount_on_top_decides() {
    let mounts = Mounts::parse(
        "22 1 8:1 / / rw,relatime - ext4 /dev/sda1 rw\n\
         30 22 0:50 / /home rw,relatime shared:7 master:1 - nfs4 server:/home rw\n\
         31 30 0:51 / /home/me/local rw - tmpfs tmpfs rw\n\
         32 22 0:52 / /with\\040space rw - fuse.sshfs me@there: rw\n\
         33 22 0:53 / /twice rw - cifs //a/b rw\n\
         34 33 0:54 / /twice rw - xfs /dev/sdb rw\n\
         what is this\n",
    );
    let cases = [
        ("/", None),
        ("/srv/skills", None),
        ("/home", Some("nfs4")),
        ("/home/me/skills", Some("nfs4")),
        ("/home/me/local/skills", None),
        ("/homes", None),
        ("/with space/skills", Some("fuse.sshfs")),
        ("/twice/skills", None),
    ];
    for (directory, kind) in cases {
        assert_eq!(mounts.shared(Path::new(directory)), kind, "{directory}");
    }
    assert_eq!(Mounts::default().shared(Path::new("/home")), None);
}
