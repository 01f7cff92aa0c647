matrix-joined = I am in { $room }.
